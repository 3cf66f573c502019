"""Games among bots from the command line: played, recorded, summed up."""

from __future__ import annotations

import math
import signal
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from copy import deepcopy
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import Progress

from bohnanza_env.bots import BotPolicy, Policy, begin_game
from bohnanza_env.documents.json_files import write_whole
from bohnanza_env.engine.game import Game
from bohnanza_env.engine.rules import Rules
from bohnanza_env.record import Recorder
from bohnanza_env.rewards import win_share
from bohnanza_env.view import view_of

from .console import bad_input
from .roster import player_of

__all__ = ["Match", "show_progress"]


class Match:
    """A series of games; each policy keeps its seat, and the start player goes round.

    Args:
        rules: the rules.
        names: a bot's name for each seat, or what else ``arena.load_player`` takes.
        seed: the seed of the first game; each further one is one higher.
        record: the file for the records, if any.
        force: replace the file if there is one.
    """

    def __init__(
        self,
        rules: Rules,
        names: Sequence[str],
        seed: int,
        record: Path | None = None,
        *,
        force: bool = False,
    ) -> None:
        seated = [_policy(text, rules) for text in names]
        if record is not None:
            if record.is_dir() or not record.parent.is_dir():
                bad_input(f"--record: {record} cannot be a file")
            if record.exists() and not force:
                bad_input(f"--record: {record} exists; --force replaces it")
        self.rules, self.seed, self.record = rules, seed, record
        self.names = [name for name, _ in seated]
        self.policies: list[Policy] = [policy for _, policy in seated]
        self.games: list[dict[str, Any]] = []

    def play_next(self, stop: threading.Event) -> bool:
        """Play one game; returns whether it came to its end before ``stop`` was set."""
        number = len(self.games)
        seed, start = self.seed + number, number % self.rules.players
        game = Game(self.rules, seed, start, log=self.record is not None)
        recorder = None if self.record is None else Recorder(game, self.names)
        for seat, policy in enumerate(self.policies):
            begin_game(policy, self.rules, seat, seed)
        while not game.over:
            if stop.is_set():
                return False
            seat = game.to_act
            game.step(self.policies[seat].act(view_of(game, seat), game.mask.copy()))
            if recorder is not None:
                recorder.note()
        if recorder is not None and self.record is not None:
            self._write(self.record, recorder.text())
        result = {"seed": seed, "start": start, "scores": game.scores, "winners": game.winners}
        self.games.append(result)
        return True

    def _write(self, path: Path, text: str) -> None:
        """The first game makes the file, whole; the others are appended."""
        if not self.games:
            write_whole(path, text)
            return
        with path.open("a", encoding="utf-8", newline="\n") as file:
            file.write(text)

    def summary(self) -> dict[str, Any]:
        """Rules, results by game and means by seat."""
        return {
            "rules": self.rules.to_dict(),
            "seats": [self._seat(seat) for seat in range(self.rules.players)] * bool(self.games),
            "games": self.games,
        }

    def _seat(self, seat: int) -> dict[str, Any]:
        coins = [game["scores"][seat] for game in self.games]
        wins = [win_share(seat, game["winners"]) for game in self.games]
        count = len(coins)
        mean = sum(coins) / count
        spread = sum((c - mean) ** 2 for c in coins) / max(1, count - 1)
        return {
            "seat": seat,
            "player": self.names[seat],
            "coins": mean,
            "coins_error": math.sqrt(spread / count),
            "wins": sum(wins) / count,
        }


def _policy(text: str, rules: Rules) -> tuple[str, Policy]:
    """Name and policy of a seat, one of its own for each."""
    name, player = player_of(text, rules, "--seats")
    return name, BotPolicy(player) if isinstance(player, str) else deepcopy(player)


@contextmanager
def _ctrl_c() -> Iterator[threading.Event]:
    """Ctrl-C sets the event, so that no game and no file is left half-done; twice is as ever."""
    stop = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield stop
        return

    def handle(number: int, frame: object) -> None:
        if stop.is_set():
            raise KeyboardInterrupt
        stop.set()

    before = signal.signal(signal.SIGINT, handle)
    try:
        yield stop
    finally:
        signal.signal(signal.SIGINT, before)


def show_progress(played: Match, games: int) -> bool:
    """Play that many games, with a bar on stderr; returns whether Ctrl-C ended it before."""
    console = Console(stderr=True)
    bar = Progress(console=console, transient=True, disable=not console.is_terminal)
    with _ctrl_c() as stop, bar:
        task = bar.add_task("games", total=games)
        while len(played.games) < games:
            if not played.play_next(stop):
                return True
            bar.advance(task)
    return False
