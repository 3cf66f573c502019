"""Playing schedules: compiled loops for bots, processes, files that can be gone on with."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from itertools import islice
from typing import Any, NamedTuple

import joblib
import numpy as np
import pandas as pd
from tqdm import tqdm

from bohnanza_env.bots import BotPolicy, BotTable, Policy, begin_game
from bohnanza_env.engine.game import Game
from bohnanza_env.engine.rules import Rules
from bohnanza_env.tallies import Tally, new_tallies, step_counted
from bohnanza_env.view import view_of

from .backends import check_backend
from .players import Label, Player, check_players, label_of
from .rows import row_of
from .rows_file import RowsFile, RowsFileError
from .schedule import PlannedGame, Schedule
from .without_trade import gains_columns, has_gains

__all__ = ["RowsFileError", "play_game", "play_schedule"]

_WAVE_SECONDS = 3.0  # about so much work of each worker is lost by Ctrl-C
_CHUNKS = 4  # for each worker in a wave


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
    gains: int = 0,
    label: str = "",
    sources: Mapping[str, str] | None = None,
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
        backend: a backend of joblib, or ``ray``; ``None`` is what ``joblib.parallel_config`` says,
            or loky.
        resume: leave out the games that the file has already.
        force: replace the file.
        progress: show a bar on stderr, if that is a terminal.
        gains: on so many decks, the first ones, each game is also played without trade: columns
            ``planned`` and ``alone_0`` … (see ``without_trade.py``).
        label: stands before the bar.
        sources: what players are, by name, where that is not what they say of themselves
            (``players.source_of``); the rows keep it.

    Raises:
        RowsFileError: the path is no good, the file exists and neither ``resume`` nor ``force``
            was given, or it holds another tournament, or games of others under the same names.
        ValueError: unknown policies or backends; a policy made for other rules, and what differs.
    """
    named = {name: name for name in schedule.names} | dict(players or {})
    known = check_players(named, schedule.rules)
    backend = check_backend(backend)
    known = {name: known[name] for name in schedule.names}
    labels = {name: label_of(known[name], (sources or {}).get(name)) for name in known}
    file = RowsFile(path, schedule, labels, resume=resume, force=force)
    todo = [planned for planned in schedule if _is_missing(planned, file, gains)]
    work = _Work(schedule.rules, known, labels, gains)
    bar = tqdm(
        total=len(schedule),
        initial=len(schedule) - len(todo),
        unit="game",
        desc=label or None,
        disable=None if progress else True,
    )
    try:
        with file, bar:
            for rows in _waves(todo, work, workers, backend):
                file.add(rows)
                bar.update(len(rows))
    finally:
        file.finish()
    return file.table()


class _Work(NamedTuple):
    """What a worker has to know."""

    rules: Rules
    players: dict[str, Player]
    labels: dict[str, Label]
    gains: int  # decks


def _is_missing(planned: PlannedGame, file: RowsFile, gains: int) -> bool:
    row = file.rows.get(planned[:3])
    return row is None or (planned.deck < gains and not has_gains(row))


def _waves(
    todo: list[PlannedGame],
    work: _Work,
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
                joblib.delayed(_play_chunk)(work, chunk, os.getpid()) for chunk in chunks
            )
            yield [row for rows in done for row in rows]
            seconds = time.perf_counter() - begun
            games = max(1, min(games * 4, int(games * _WAVE_SECONDS / max(seconds, 1e-3))))


def _play_chunk(work: _Work, chunk: Sequence[PlannedGame], owner: int) -> list[dict[str, Any]]:
    """What a worker does."""
    if os.getpid() != owner and threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the owner's business
    rules, players = work.rules, work.players
    copies: dict[tuple[str, int], Policy] = {}
    rows = []
    for planned in chunk:
        row = _play(rules, players, planned, work.labels, copies)
        if planned.deck < work.gains:
            policies = _seated(rules, planned, players, range(rules.players), copies)
            row |= gains_columns(rules, planned.seed, planned.start, policies)
        rows.append(row)
    return rows


def play_game(
    rules: Rules, planned: PlannedGame, players: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Play one game again; returns its row, without gains."""
    names = check_players({name: name for name in planned.seats} | dict(players or {}), rules)
    labels = {name: label_of(player) for name, player in names.items()}
    return _play(rules, names, planned, labels, {})


def _play(
    rules: Rules,
    players: Mapping[str, Player],
    planned: PlannedGame,
    labels: Mapping[str, Label],
    copies: dict[tuple[str, int], Policy],
) -> dict[str, Any]:
    game = Game(rules, planned.seed, planned.start)
    seated = [players[name] for name in planned.seats]
    own = [seat for seat, player in enumerate(seated) if not isinstance(player, str)]
    table, learner = None, -1
    if len(own) < 2:  # bots play in a compiled loop, up to the decisions of the one other policy
        learner = own[0] if own else -1
        table = BotTable(rules, [p if isinstance(p, str) else None for p in seated])
        table.reset(planned.seed)
    seats = own if table is not None else range(rules.players)
    policies = _seated(rules, planned, players, seats, copies)
    tallies = new_tallies() if table is None else table.tallies
    while not game.over:
        if table is not None and game.to_act != learner:
            table.play_until(game, learner)
        else:
            _decide(game, policies[game.to_act], planned, tallies)
    return row_of(game, planned, labels, tallies)


def _seated(
    rules: Rules,
    planned: PlannedGame,
    players: Mapping[str, Player],
    seats: Iterable[int],
    copies: dict[tuple[str, int], Policy],
) -> dict[int, Policy]:
    """Policies by seat, at the beginning of a game."""
    policies = {}
    for seat in seats:
        name = planned.seats[seat]
        policy = policies[seat] = _copy_for(name, seat, players[name], copies)
        begin_game(policy, rules, seat, planned.seed)
    return policies


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
