"""Breakthrough 8x8 on the engine's form of a kernel, with a plain tree search: a yardstick only."""
