"""Every RPC of every service, and who may make it: the one table.

A row names a method, a request that its rightful caller may make, and what everybody else hears
instead: the reason of the refusal, or "" where they may as well. What holds for all methods alike
(no token, an expired one, one that was signed out …) stands in test_permissions.py.

To add an RPC, add a row where its service has them; `test_every_rpc_has_a_row_and_every_row_an_rpc`
says which is missing. Several rows of one method differ in what they ask for.
"""

from __future__ import annotations

from typing import Final

from tests.contract.permissions.ai_rows import AI
from tests.contract.permissions.matchmaking_rows import MATCHMAKING
from tests.contract.permissions.rows import Row
from tests.contract.permissions.rules_rows import RULES

ROWS: Final[tuple[Row, ...]] = (*RULES, *MATCHMAKING, *AI)
