"""How good players are, counted from finished matches."""
