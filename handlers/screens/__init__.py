"""Screens: what a message should look like, made from a table's document and a view of its hand."""
