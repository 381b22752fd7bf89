"""The rules service: holds matches and applies each action exactly once, or refuses it.

Absent here: computer opponents (an agent's seat is only a name), accounts (a player is only an
id), and anything a game decides (that is the engine's).
"""
