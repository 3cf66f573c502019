"""Playing schedules: compiled loops for bots, processes, files that can be gone on with."""

from __future__ import annotations

import json
import os
import signal
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from io import TextIOWrapper
from itertools import islice
from pathlib import Path
from typing import Any

import joblib
import numpy as np
import pandas as pd
from tqdm import tqdm

from bohnanza_env.bots import BotPolicy, BotTable, Policy, policy_seed
from bohnanza_env.engine.game import Game
from bohnanza_env.engine.rules import Rules
from bohnanza_env.tallies import Tally, new_tallies, step_counted
from bohnanza_env.view import view_of

from .players import Player, check_players, version_of
from .rows import KEY, check_suffix, read_rows, row_of, rules_hash, write_rows
from .schedule import PlannedGame, Schedule

__all__ = ["RowsFileError", "play_game", "play_schedule"]

_WAVE_SECONDS = 3.0  # about so much work of each worker is lost by Ctrl-C
_CHUNKS = 4  # for each worker in a wave


class RowsFileError(ValueError):
    """A file that cannot be used for the rows of a schedule."""


def play_schedule(
    schedule: Schedule,
    players: Mapping[str, Any] | None = None,
    path: str | os.PathLike[str] | None = None,
    *,
    workers: int | None = None,
    backend: str | None = None,
    resume: bool = False,
    force: bool = False,
    progress: bool = False,
) -> pd.DataFrame:
    """Play all games; returns their rows, in the order of the schedule.

    The rows are the same whatever the number of workers. With a path each finished game is noted
    in ``<path>.partial`` at once; Ctrl-C (``KeyboardInterrupt``, which is raised again) leaves the
    finished games in the file itself.

    Args:
        schedule: the games.
        players: the players by the names in the lineups: policies, torch modules or functions of
            observation and mask (``players.as_player``); bots need not be given. They are pickled
            for other processes, and copied for each seat.
        path: a file for the rows, ``.parquet`` or ``.csv``.
        workers: processes; ``None`` is what ``joblib.parallel_config`` says, or 1.
        backend: a backend of joblib; ``None`` is what ``joblib.parallel_config`` says, or loky.
        resume: leave out the games that the file has already.
        force: replace the file.
        progress: show a bar on stderr, if that is a terminal.

    Raises:
        RowsFileError: the path is no good, the file exists and neither ``resume`` nor ``force``
            was given, or it holds another tournament.
        ValueError: unknown policies, or one made for other rules, and what differs.
    """
    named = {name: name for name in schedule.names} | dict(players or {})
    known = check_players(named, schedule.rules)
    known = {name: known[name] for name in schedule.names}
    file = _File(path, schedule, known, resume=resume, force=force)
    todo = [planned for planned in schedule if planned[:3] not in file.rows]
    bar = tqdm(
        total=len(schedule),
        initial=len(schedule) - len(todo),
        unit="game",
        disable=None if progress else True,
    )
    try:
        with file, bar:
            for rows in _waves(todo, schedule.rules, known, workers, backend):
                file.add(rows)
                bar.update(len(rows))
    finally:
        file.finish()
    return file.table()


def _waves(
    todo: list[PlannedGame],
    rules: Rules,
    players: dict[str, Player],
    workers: int | None,
    backend: str | None,
) -> Iterator[list[dict[str, Any]]]:
    """Rows of waves of games. Their length adapts, so that each takes a moment.

    Waves work with every backend of joblib; Ray's knows no generators of results.
    """
    left, games = iter(todo), 1
    with joblib.Parallel(n_jobs=workers, backend=backend) as parallel:
        hands = joblib.effective_n_jobs(parallel.n_jobs)
        while wave := list(islice(left, games * hands)):
            size = -(-len(wave) // (hands * _CHUNKS))
            chunks = [wave[i : i + size] for i in range(0, len(wave), size)]
            begun = time.perf_counter()
            done = parallel(
                joblib.delayed(_play_chunk)(rules, players, chunk, os.getpid()) for chunk in chunks
            )
            yield [row for rows in done for row in rows]
            seconds = time.perf_counter() - begun
            games = max(1, min(games * 4, int(games * _WAVE_SECONDS / max(seconds, 1e-3))))


def _play_chunk(
    rules: Rules, players: dict[str, Player], chunk: Sequence[PlannedGame], owner: int
) -> list[dict[str, Any]]:
    """What a worker does."""
    if os.getpid() != owner and threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the owner's business
    versions = {name: version_of(player) for name, player in players.items()}
    copies: dict[tuple[str, int], Policy] = {}
    return [_play(rules, players, planned, versions, copies) for planned in chunk]


def play_game(
    rules: Rules, planned: PlannedGame, players: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Play one game again; returns its row."""
    names = check_players({name: name for name in planned.seats} | dict(players or {}), rules)
    versions = {name: version_of(player) for name, player in names.items()}
    return _play(rules, names, planned, versions, {})


def _play(
    rules: Rules,
    players: Mapping[str, Player],
    planned: PlannedGame,
    versions: dict[str, str],
    copies: dict[tuple[str, int], Policy],
) -> dict[str, Any]:
    game = Game(rules, planned.seed, planned.start)
    seated = [players[name] for name in planned.seats]
    own = [seat for seat, player in enumerate(seated) if not isinstance(player, str)]
    policies: dict[int, Policy] = {}
    table, learner = None, -1
    if len(own) < 2:  # bots play in a compiled loop, up to the decisions of the one other policy
        learner = own[0] if own else -1
        table = BotTable(rules, [p if isinstance(p, str) else None for p in seated])
        table.reset(planned.seed)
    for seat in own if table is not None else range(rules.players):
        policy = policies[seat] = _copy_for(planned.seats[seat], seat, seated[seat], copies)
        # The package's own bots play as in ``play_games``; others must not learn the deck's seed.
        own_bot = type(policy) is BotPolicy
        policy.reset(rules, seat, planned.seed if own_bot else policy_seed(planned.seed))
    tallies = new_tallies() if table is None else table.tallies
    while not game.over:
        if table is not None and game.to_act != learner:
            table.play_until(game, learner)
        else:
            _decide(game, policies[game.to_act], planned, tallies)
    return row_of(game, planned, versions, tallies)


def _copy_for(
    name: str, seat: int, player: Player, copies: dict[tuple[str, int], Policy]
) -> Policy:
    """The policy for a seat: the same policy may have several, each with a memory of its own."""
    if (name, seat) not in copies:
        copies[name, seat] = BotPolicy(player) if isinstance(player, str) else deepcopy(player)
    return copies[name, seat]


def _decide(game: Game, policy: Policy, planned: PlannedGame, tallies: np.ndarray) -> None:
    seat = game.to_act
    try:
        step_counted(game, policy.act(view_of(game, seat), game.mask.copy()), tallies)
    except Exception as error:
        error.add_note(f"policy {planned.seats[seat]!r} in seat {seat} of {planned}")
        raise
    tallies[seat, Tally.DECISIONS] += 1


class _File:
    """Finished games, and the file that holds them, if there is one."""

    def __init__(
        self,
        path: str | os.PathLike[str] | None,
        schedule: Schedule,
        players: dict[str, Player],
        *,
        resume: bool,
        force: bool,
    ) -> None:
        try:
            self.path = None if path is None else check_suffix(path)
        except ValueError as error:
            raise RowsFileError(str(error)) from None
        self.order = {planned[:3]: number for number, planned in enumerate(schedule)}
        self.rows: dict[tuple[Any, ...], dict[str, Any]] = {}
        self._journal: TextIOWrapper | None = None
        if self.path is None:
            return
        self.partial = self.path.with_name(self.path.name + ".partial")
        if not self.path.parent.is_dir():
            raise RowsFileError(f"{self.path.parent}: there is no such folder")
        if resume:
            self._resume(schedule, players)
        elif not force:
            for file in (self.path, self.partial):
                if file.exists():
                    raise RowsFileError(f"{file} exists: resume it, or replace it by force")
        self.partial.unlink(missing_ok=True)

    def _resume(self, schedule: Schedule, players: dict[str, Player]) -> None:
        assert self.path is not None
        try:
            found = read_rows(self.path).to_dict("records") if self.path.exists() else []
            found += _read_journal(self.partial)
        except ValueError as error:
            raise RowsFileError(str(error)) from None
        planned = {game[:3]: game for game in schedule}
        versions = {name: version_of(player) for name, player in players.items()}
        for row in found:
            key = tuple(row[c] for c in KEY)
            fault = _fault(row, planned.get(key), rules_hash(schedule.rules), versions)
            if fault:
                raise RowsFileError(f"{self.path}: cannot be resumed: {fault}")
            self.rows[key] = row
        if found:
            write_rows(self.table(), self.path)

    def __enter__(self) -> None:
        if self.path is not None:
            self._journal = self.partial.open("w", encoding="utf-8", newline="\n")

    def __exit__(self, *error: object) -> None:
        if self._journal is not None:
            self._journal.close()

    def add(self, rows: list[dict[str, Any]]) -> None:
        for row in rows:
            self.rows[tuple(row[c] for c in KEY)] = row
        if self._journal is not None:
            self._journal.write("".join(json.dumps(row) + "\n" for row in rows))
            self._journal.flush()

    def table(self) -> pd.DataFrame:
        keys = sorted(self.rows, key=self.order.__getitem__)
        return pd.DataFrame([self.rows[key] for key in keys])

    def finish(self) -> None:
        """Put the games into the file itself."""
        if self.path is None:
            return
        if self.rows:
            write_rows(self.table(), self.path)
        self.partial.unlink(missing_ok=True)


def _read_journal(path: Path) -> list[dict[str, Any]]:
    """The whole lines; the last one is cut off where the process was killed while writing."""
    if not path.exists():
        return []
    lines = path.read_text(encoding="utf-8").split("\n")[:-1]
    return [json.loads(line) for line in lines]


def _fault(
    row: dict[str, Any], planned: PlannedGame | None, rules: str, versions: dict[str, str]
) -> str:
    """What makes a row one of another tournament, or nothing."""
    if row["rules"] != rules:
        return "its games have other rules"
    if planned is None:
        return (
            f"it has a game that is not planned: {row['lineup']}, deck {row['deck']}, "
            f"rotation {row['rotation']} (give the same policies and at least as many decks)"
        )
    if row["seed"] != planned.seed:
        return "its games have another seed"
    for seat, name in enumerate(planned.seats):
        if str(row[f"version_{seat}"]) != versions[name]:
            return f"it has version {row[f'version_{seat}']} of {name}, this is {versions[name]}"
    return ""
