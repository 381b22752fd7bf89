"""Advice to people: hints in mid-match, reviews of finished matches.

What is said is worked out in `services.advice`; here is who may ask, who works it out, and what is
kept. A worker or a child process of the service gets what one seat knows for a hint, and the public
record of a finished match for a review, and nothing else.
"""
