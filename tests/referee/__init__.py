"""A referee for game records (``bohnanza-record/1``): it reads a record and nothing else.

It shares no code with the engine. It rebuilds every state from the header and the events and names
the rules (R…) that a game breaks; see :func:`check_record`.
"""

from .record import Verdict, check_record

__all__ = ["Verdict", "check_record"]
