"""Sounds: made by instructions (`synth`), and played (`player`)."""
