"""What every service needs to be a good service: settings, tokens, errors, a server that drains.

Nothing here knows a game, a match or a table.
"""
