"""Every row of telegram.md, *What goes wrong, and what then*: each caused with the whole bot on the playground."""
