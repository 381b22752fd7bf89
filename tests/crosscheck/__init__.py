"""Every game twice: `python -m tests.crosscheck --games N` plays N random games of each variant,
and N more from positions that random play hardly comes to, on the engine and on a naive version
that was written from the rulings alone. It compares actor, legal actions, chances, position and
end at every step, and counts the rare cases that were met.
"""
