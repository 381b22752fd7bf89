"""How fast things are, always beside a reference measured in the same run: `make bench`."""
