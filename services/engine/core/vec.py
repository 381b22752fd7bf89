"""`vec[i64]` and `i64` for kernels: flat buffers of machine integers when a kernel is compiled by
mypyc, plain lists of ints when the same source runs uncompiled.

Compiled code never looks at the values below: mypyc takes the types from the branch for type
checkers. Uncompiled code always gets lists, even where librt is installed, since its vectors are
slower than lists there. Therefore a buffer for a kernel is always made by that kernel.
This module itself stays uncompiled.

mypyc 2.4.1 takes a reference to a vector's memory each time uncompiled code hands that vector to
compiled code, and never gives it back: a buffer that has crossed over is not freed. Inside compiled
code nothing is lost. So uncompiled code that makes buffers by the million uses few and reuses them,
and a long-lived process on compiled kernels is recycled by its memory.
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
