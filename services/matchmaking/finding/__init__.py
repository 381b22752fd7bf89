"""How players find each other: tickets, the open list, matches to watch, invitations."""
