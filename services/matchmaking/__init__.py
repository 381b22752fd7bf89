"""The matchmaking service: who somebody is, tables and invitations, and which matches are theirs.

It knows no game: which games, options and agents there are it asks rules and ai, and a full table
becomes a match by one idempotent call to rules.
"""
