"""What concerns a player: matches and what happened in them, invitations, phrases."""
