"""The art of the tiles, drawn by code. Used only when the atlas is baked (``python -m render.art.bake``)."""
