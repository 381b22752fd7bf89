"""Oddsocks on phones, tablets and desktops."""
