"""The swaps of the compact protocol as actions (R35): one card or none for another.

A swap has three parts: to whom, in steps clockwise from the one who acts; what is given; and what
is got: 0 for nothing, else 1 + the bean. The last two are never equal, so ``get`` leaves out the
value of ``give``.
"""

from __future__ import annotations

from .compilation import compiled

__all__ = ["swap_index", "swap_parts"]


@compiled
def swap_index(rules, player, give, get):
    """The action of a swap."""
    column = get - 1 if get > give else get
    return rules.swap_at + ((player - 1) * (rules.beans + 1) + give) * rules.beans + column


@compiled
def swap_parts(rules, action):
    """The player, what is given and what is got by an action: the reverse of ``swap_index``."""
    rest = action - rules.swap_at
    column = rest % rules.beans
    rest = rest // rules.beans
    give = rest % (rules.beans + 1)
    get = column + 1 if column >= give else column
    return rest // (rules.beans + 1) + 1, give, get
