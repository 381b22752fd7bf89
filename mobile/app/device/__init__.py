"""What only the platform has: push, words outside the app, links from outside. Chosen at start."""
