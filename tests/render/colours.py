"""Colours as eyes see them: contrast ratios, and the sight of those who see fewer colours."""

from __future__ import annotations

from typing import Final

from render.grounds import Colour

# Matrices of Viénot, Brettel and Mollon (1999) for the two common kinds of red-green blindness.
SIGHTS: Final[dict[str, tuple[float, ...]]] = {
    "greyscale": (0.299, 0.587, 0.114, 0, 0.299, 0.587, 0.114, 0, 0.299, 0.587, 0.114, 0),
    "deuteranopia": (0.293, 0.707, 0, 0, 0.293, 0.707, 0, 0, -0.022, 0.022, 1, 0),
    "protanopia": (0.112, 0.888, 0, 0, 0.112, 0.888, 0, 0, 0.004, -0.004, 1, 0),
}


def luminance(colour: Colour) -> float:
    """Relative luminance, 0 to 1 (WCAG 2.2)."""
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in (value / 255 for value in colour)
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def ratio(one: Colour, other: Colour) -> float:
    """Contrast of two colours, 1 to 21 (WCAG 2.2)."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)
