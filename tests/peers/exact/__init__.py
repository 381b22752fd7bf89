"""Our levels beside optimal play, where it can be computed exactly: `python -m tests.peers.exact`.

`hide_and_seek` solves Monster Hide and Seek with three types and two seats, in C;
`kernels.sock_lines` the last turns of Sock Monsters, on the game's own kernel. `naive` does the
same on the games' public face, as simply as can be, for positions small enough. `page.report` says
what was found.
"""
