"""Every game twice: `python -m tests.crosscheck --games N` plays N random games of each variant on
the engine and on a naive implementation that was written from the rulings alone, and compares
actor, legal actions, position and end at every step.
"""
