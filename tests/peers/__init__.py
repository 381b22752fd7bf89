"""Our opponents measured against others' and against optimal play, for docs/peers.md."""
