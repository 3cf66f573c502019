"""``make demo``: train for about five minutes, then show honestly what was learnt.

Trains by ``configs/demo.yaml``, plays the trained policy, what it was after the warm start (it
began by imitating ``trader``), the untrained one, ``greedy`` and ``trader`` in the same chair at a
table of traders, on the same decks and from every seat. Saves the policy and one recorded game,
prints that game's last turns and the table.

Exit code 0 means that the trained policy earns more than ``greedy`` (the lower bound of the 95 %
interval of the paired difference is above 0) and that it makes deals of its own in which both
sides give. A policy that never trades cannot pass.
"""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from rich.console import Console
from rich.table import Table

from bohnanza_env.arena.suite import load_suite
from bohnanza_env.bots import BotPolicy, begin_game
from bohnanza_env.checkpoints import load_policy
from bohnanza_env.engine.game import Game
from bohnanza_env.engine.rules import Rules
from bohnanza_env.observation import observe
from bohnanza_env.record import Recorder, read_records, replay_text
from bohnanza_env.view import view_of
from training.checks import check_config, check_folder, rules_of, say
from training.config import load_config
from training.evaluation import (
    ChairResults,
    Chooser,
    Interval,
    interval,
    model_chooser,
    play_in_chair,
)

if TYPE_CHECKING:
    from sb3_contrib import MaskablePPO

__all__ = ["CONFIG", "main", "next_commands"]

CONFIG = Path(__file__).resolve().parent.parent / "configs" / "demo.yaml"
_OPPONENT = "trader"
_LEAST_OWN_DEALS = 1.0  # a game; what counts as trading


def evaluate(run: Path, rules: Rules, decks: int) -> dict[str, ChairResults]:
    """Everybody in the same chair: seats × decks games each."""
    players: dict[str, Chooser | str] = {
        "trained": model_chooser(load_policy(run / "policy.zip", rules)),
        "warm start": model_chooser(load_policy(run / "warm_start.zip", rules)),
        "untrained": model_chooser(load_policy(run / "untrained.zip", rules)),
        "greedy": "greedy",
        "trader": "trader",
    }
    results = {}
    for number, (name, player) in enumerate(players.items(), start=1):
        say(f"evaluation {number}/{len(players)}: {decks} decks, {rules.players} seats, {name}")
        results[name] = play_in_chair(player, rules, _OPPONENT, decks, seed=7)
    return results


def table_of(results: dict[str, ChairResults], rules: Rules, decks: int) -> Table:
    """The results as a table with 95 % intervals."""
    games = decks * rules.players
    table = Table(
        title=f"One chair at a table of {rules.players - 1} {_OPPONENT}s: {rules.edition}, "
        f"{rules.players} players, {rules.protocol}; {decks} decks x {rules.players} seats = "
        f"{games} games each; means with 95 % intervals (bootstrap over decks)"
    )
    for heading in ("in the chair", "coins", "win rate", "deals a turn", "own deals", "gifts"):
        table.add_column(heading)
    for name, result in results.items():
        table.add_row(name, *(str(interval(values)) for values in _columns(result)))
    table.caption = (
        "deals a turn: accepted deals with the chair in which both sides give; "
        "own deals: those it proposed; gifts: accepted one-sided deals; all a turn of the game"
    )
    return table


def _columns(result: ChairResults) -> list[np.ndarray]:
    turns = result.turns.mean(axis=1)
    return [
        result.coins.mean(axis=1),
        result.wins.mean(axis=1),
        result.deals.mean(axis=1) / turns,
        result.own_deals.mean(axis=1) / turns,
        result.gifts.mean(axis=1) / turns,
    ]


def difference(results: dict[str, ChairResults], other: str) -> Interval:
    """Paired difference of coins, trained minus other, on the same decks."""
    return interval((results["trained"].coins - results[other].coins).mean(axis=1))


def record_game(run: Path, rules: Rules, seed: int) -> Path:
    """One game of the trained policy (seat 0) with traders, as a record file."""
    choose = model_chooser(load_policy(run / "policy.zip", rules))
    game = Game(rules, seed, log=True)
    recorder = Recorder(game, ["trained", *[_OPPONENT] * (rules.players - 1)])
    bots = [BotPolicy(_OPPONENT) for _ in range(rules.players)]
    for seat, bot in enumerate(bots):
        begin_game(bot, rules, seat, seed)
    while not game.over:
        view, seat = view_of(game, game.to_act), game.to_act
        if seat == 0:
            action = int(choose(observe(rules, view)[None], game.mask[None].astype(bool))[0])
        else:
            action = bots[seat].act(view, game.mask)
        game.step(action)
        recorder.note()
    path = run / "game.jsonl"
    path.write_text(recorder.text())
    return path


def last_turns(path: Path, turns: int) -> str:
    """The end of a recorded game as text, with the hand of seat 0."""
    lines = [line for record in read_records(path) for line in replay_text(record, seat=0)]
    headings = [i for i, line in enumerate(lines) if line.startswith("Turn ")]
    return "\n".join(lines[headings[-turns] :])


def next_commands(run: Path, rules: Rules) -> list[str]:
    """What can be done with the run's folder: lines for a shell."""
    mine, tables = f"mine={run}", [t.name for t in load_suite().tables if t.rules == rules]
    own = ["--edition", rules.edition, "--players", str(rules.players)]
    own += ["--protocol", rules.protocol]
    policies = f"{mine},{_OPPONENT},greedy"
    train = ["python", "-m", "training.sb3_maskable_ppo", "--run", str(run), "--resume"]
    commands = [
        ["bohnanza", "replay", str(run / "game.jsonl"), "--seat", "0"],
        *(["bohnanza", "evaluate", mine, "--quick", "--only", table] for table in tables),
        ["bohnanza", "tournament", "--policies", policies, *own, "--decks", "3"],
        ["tensorboard", "--logdir", str(run / "tensorboard")],
        [*train, "minutes=60"],
    ]
    lines = [shlex.join(command) for command in commands]
    if sys.prefix != sys.base_prefix:  # bring the commands of this environment onto the path
        lines.insert(0, shlex.join(["source", os.path.relpath(f"{sys.prefix}/bin/activate")]))
    return lines


def main(arguments: list[str] | None = None) -> int:
    """Train, evaluate, print; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--config", type=Path, default=CONFIG)
    parser.add_argument("--run", type=Path, help="folder of the run (default: a new one in runs/)")
    parser.add_argument("--decks", type=int, default=60, help="decks of the evaluation")
    parser.add_argument("overrides", nargs="*", help="key.key=value for the configuration")
    given = parser.parse_args(arguments)
    try:
        config = load_config(given.config, given.overrides)
        rules = rules_of(config)
        run = given.run or Path("runs") / f"demo-{datetime.now():%Y%m%d-%H%M%S}"
        check_folder(run, resume=False)
        check_config(config)
        from training.learner import train  # PyTorch: some seconds, once all is known to be right

        model = train(config, run)
    except (FileExistsError, ValueError) as problem:
        print(f"error: {problem}", file=sys.stderr)
        return 2
    console = Console(width=110 if not sys.stdout.isatty() else None)
    results = evaluate(run, rules, given.decks)
    record = record_game(run, rules, seed=2024)
    console.print(f"\nThe last turns of {record} (seat 0 is the trained policy):\n")
    console.print(last_turns(record, turns=2), highlight=False, markup=False)
    console.print()
    console.print(table_of(results, rules, given.decks))
    return _verdict(console, results, run, rules, model)


def _verdict(
    console: Console, results: dict[str, ChairResults], run: Path, rules: Rules, model: MaskablePPO
) -> int:
    learnt = model._n_updates > 0
    if not learnt:
        console.print("NO reinforcement learning happened: 'trained' is the warm start")
    console.print(f"reinforcement learning: {model.num_timesteps:,} decisions of the learner")
    gain = difference(results, "greedy")
    own = interval(results["trained"].own_deals.mean(axis=1))
    earns, trades = gain.low > 0, own.low >= _LEAST_OWN_DEALS
    console.print(f"trained - greedy, paired by deck: {gain} coins")
    console.print(f"trained - warm start: {difference(results, 'warm start')} coins")
    console.print(f"trained - untrained: {difference(results, 'untrained')} coins")
    console.print(f"trained - trader: {difference(results, 'trader')} coins")
    console.print(f"deals of its own, both sides giving: {own} a game")
    console.print(f"{'yes' if earns else 'NO'}: the trained policy earns more than greedy")
    console.print(f"{'yes' if trades else 'NO'}: it trades on its own account")
    console.print(f"saved: {run / 'policy.zip'}, {run / 'game.jsonl'}")
    console.print("\nTo go on:\n")
    for command in next_commands(run, rules):
        print(f"  {command}")  # whole lines, to be copied
    return 0 if learnt and earns and trades else 1


if __name__ == "__main__":
    sys.exit(main())
