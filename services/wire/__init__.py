"""Engine values to protobuf messages and back, for services and app alike.

Knows the engine and the messages; no sockets, no storage. A game with a typed contract has a
module here; any other game travels as its notation.
"""
