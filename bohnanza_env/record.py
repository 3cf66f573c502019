"""Records: whole games as their events (``bohnanza-record/1``, docs/formats.md).

:class:`Recorder` writes them, ``read_records`` reads and checks a file, ``replay`` rebuilds the
table event by event, and ``replay_text`` tells the game.
"""

from __future__ import annotations

from .documents.record_read import Record, RecordError, read_records, replay
from .documents.record_table import ImpossibleEvent, Table, TableSeat
from .documents.record_text import replay_text
from .documents.record_write import Recorder

__all__ = [
    "ImpossibleEvent",
    "Record",
    "RecordError",
    "Recorder",
    "Table",
    "TableSeat",
    "read_records",
    "replay",
    "replay_text",
]
