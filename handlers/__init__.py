"""Telegram: turns updates into moves of a table, and what happened into messages."""
