"""A slow, plain model of the rules of Bohnanza, written from the rule document alone.

It shares nothing with the engine but the names of the beans, so that the two can be compared.
"""

from .cases import run_case
from .editions import edition_rules
from .game import ReferenceGame

__all__ = ["ReferenceGame", "edition_rules", "run_case"]
