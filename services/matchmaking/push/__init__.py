"""Calling people whose app is closed."""
