"""Pictures of every screen and board, and what can be measured in them: `make shots`."""
