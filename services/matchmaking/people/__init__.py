"""Who players are: accounts, devices, profiles, friends and blocks."""
