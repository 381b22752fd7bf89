"""The games themselves: rules, observations, notation and computer opponents.

Standard library only. No I/O, no clock, no global random number generator: whoever calls
brings time and chance along. Nothing in here knows about services, networks or storage.
"""
