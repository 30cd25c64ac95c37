"""How long tests wait for other programs: for ever, nearly. It is no figure; machines stand still for a while."""

PATIENCE = 180.0
"""Seconds until something counts as never."""
