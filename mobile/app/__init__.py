"""Oddsocks on phones, tablets and desktops."""

VERSION = "0.1.0"
"""What the app tells servers that it is; the same as in buildozer.spec and pyproject.toml."""
