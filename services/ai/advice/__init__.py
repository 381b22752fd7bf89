"""Advice to people: hints in mid-match, reviews of finished matches.

`hint`, `reasons`, `line` and `review` are pure. Whoever computes, a worker or a child process of
the service, gets what one seat knows for a hint, and the public record of a finished match for a
review, and nothing else. `hints` and `reviews` are the service's side of it.
"""
