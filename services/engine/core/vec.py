"""`vec[i64]` and `i64` for kernels: flat buffers of machine integers when a kernel is compiled by
mypyc, plain lists of ints when the same source runs uncompiled.

Compiled code never looks at the values below: mypyc takes the types from the branch for type
checkers. Uncompiled code always gets lists, even where librt is installed, since its vectors are
slower than lists there. Therefore a buffer for a kernel is always made by that kernel.
This module itself stays uncompiled.

mypyc 2.4.1 keeps a reference each time uncompiled code hands a vector to compiled code;
`tools/mypyc_setup.py` mends that in what it generates (docs/adr/0050).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from librt.vecs import vec as vec
    from mypy_extensions import i64 as i64
else:
    i64 = int

    class vec:  # noqa: N801  # stands in for the class of that name
        """`vec[i64](items)` makes a list."""

        def __class_getitem__(cls, _item):
            return list
