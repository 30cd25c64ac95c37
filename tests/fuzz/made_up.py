"""What is handed in: texts that are odd, JSON that is nearly right, bytes that were right once."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

odd_texts = st.one_of(
    st.text(max_size=40),
    st.text("0123456789", min_size=1, max_size=400),
    st.sampled_from(
        ["", "-", "٣", "²", "\0", "\ud800", "9" * 5000, "1e999", "NaN", "../x", "%s{0}", "<b>&", "🀄" * 90]
    ),
)
"""Any texts, and those that programs stumble over."""

values: st.SearchStrategy[Any] = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.integers(-5, 150), st.floats(), odd_texts),
    lambda inner: st.one_of(st.lists(inner, max_size=5), st.dictionaries(st.text(max_size=12), inner, max_size=5)),
    max_leaves=12,
)
"""What JSON can hold."""


@st.composite
def bent(draw: st.DrawFn, document: Any) -> Any:
    """A document of JSON with something in it replaced, left out, doubled or moved, perhaps nothing."""
    for _ in range(draw(st.integers(0, 3))):
        document = _bend(draw, document, 0)
    return document


def _bend(draw: st.DrawFn, document: Any, depth: int) -> Any:
    if not (isinstance(document, dict | list) and document) or draw(st.integers(0, 3 + depth)) > 3:
        if isinstance(document, bool) or not isinstance(document, int):
            return draw(values)
        return draw(st.one_of(st.just(document + 1), st.just(-document), st.integers(), values))
    if isinstance(document, dict):
        key = draw(st.sampled_from(sorted(document)))
        changed = {name: value for name, value in document.items() if name != key}
        match draw(st.integers(0, 5)):
            case 0:
                return changed
            case 1:
                return {**document, draw(st.text(max_size=8)): draw(values)}
            case _:
                return {**changed, key: _bend(draw, document[key], depth + 1)}
    at = draw(st.integers(0, len(document) - 1))
    match draw(st.integers(0, 5)):
        case 0:
            return document[:at] + document[at + 1 :]
        case 1:
            return document[: at + 1] + document[at:]
        case 2:
            other = draw(st.integers(0, len(document) - 1))
            return [*document[:at], document[other], *document[at + 1 :]]
        case _:
            return [*document[:at], _bend(draw, document[at], depth + 1), *document[at + 1 :]]


@st.composite
def damaged(draw: st.DrawFn, whole: bytes) -> bytes:
    """Bytes of which some are others now, lost, or there twice, perhaps none."""
    data = bytearray(whole)
    for _ in range(draw(st.integers(0, 4))):
        at = draw(st.integers(0, max(0, len(data) - 1)))
        match draw(st.integers(0, 4)):
            case 0:
                del data[at : at + draw(st.integers(1, 2000))]
            case 1:
                data[at:at] = draw(st.binary(max_size=30))
            case 2:
                data[at:at] = data[at : at + draw(st.integers(1, 500))]
            case 3:
                del data[at:]
            case _:
                piece = draw(st.binary(min_size=1, max_size=40))
                data[at : at + len(piece)] = piece
    return bytes(data)
