"""What an agent says to people: a hint in mid-match, a look through a finished match. Pure.

Whoever computes, a worker, a child process of the ai service or the app, gets what one seat knows
for a hint, and the record of a finished match for a review, and nothing else.
"""
