"""How far a policy can be beaten: train against it, frozen, and compare in the same chair.

    python -m training.best_response --against trader --config configs/best_response.yaml \
        --run runs/against_trader
    python -m training.best_response --against runs/first --config … --run … --resume

The policy that is checked fills all other chairs while MaskablePPO learns in one. Afterwards both
play that chair on the same decks, from every seat: *advantage* is what the learner earns more than
the frozen policy itself, paired by deck. Above 0, the policy can be beaten by at least so much. An
advantage that is not above 0 proves nothing about the policy: this learner, with this much
training, has not found how.

Exit code 0 if the check was carried out, whatever it found.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from bohnanza_env.arena.players import load_player
from bohnanza_env.arena.schedule import deck_seed
from training.checks import check_config, check_folder, check_overrides, opponents_of, rules_of, say
from training.config import ConfigError, TrainingConfig, load_config

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["BestResponse", "compare", "main"]

_CONFIG = Path(__file__).resolve().parent.parent / "configs" / "best_response.yaml"
_LEARNER, _FROZEN = "learner", "frozen"


@dataclass(frozen=True)
class BestResponse:
    """What the check found; intervals are 95 %, over decks.

    Attributes:
        learner, frozen: mean coins of each in the one chair, frozen copies in all others.
        advantage, low, high: paired difference of coins, learner minus frozen.
        decks: how many, each played from every seat.
        verdict: in words.
    """

    learner: float
    frozen: float
    advantage: float
    low: float
    high: float
    decks: int
    verdict: str


def compare(config: TrainingConfig, run: Path, decks: int, seed: int, workers: int) -> BestResponse:
    """Both policies in one chair among frozen ones, on the same decks."""
    from bohnanza_env.arena import (
        CheckpointPolicy,
        Schedule,
        paired_differences,
        play_schedule,
    )

    rules = rules_of(config)
    players = {_LEARNER: CheckpointPolicy(run), _FROZEN: opponents_of(config, rules)[0]}
    others = (_FROZEN,) * (rules.players - 1)
    schedule = Schedule(rules, ((_LEARNER, *others), (_FROZEN, *others)), decks, seed)
    rows = play_schedule(schedule, players, workers=workers, progress=True)
    found = paired_differences(rows).set_index(["policy", "minus"]).loc[(_FROZEN, _LEARNER)]
    advantage, low, high = -found["difference"], -found["high"], -found["low"]
    return BestResponse(
        learner=_mean_coins(rows, _LEARNER, schedule.lineups[0]),
        frozen=_mean_coins(rows, _FROZEN, schedule.lineups[1]),
        advantage=float(advantage),
        low=float(low),
        high=float(high),
        decks=decks,
        verdict=_verdict(found["verdict"], low),
    )


def _mean_coins(rows: pd.DataFrame, name: str, lineup: tuple[str, ...]) -> float:
    from bohnanza_env.arena import seats_of

    seats = seats_of(rows[rows["lineup"] == ",".join(lineup)])
    return float(seats.loc[seats["policy"] == name, "coins"].mean())


def _verdict(found: str, low: float) -> str:
    if found == "too few games":
        return "too few decks for a claim"
    if low > 0:
        return "can be beaten: the learner earns more in its chair"
    return "not beaten by this learner, which proves nothing about others"


def main(arguments: list[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--against", help="the policy: a bot, a run's folder or .zip, module:name")
    parser.add_argument("--config", type=Path, default=_CONFIG, help="YAML file (see configs/)")
    parser.add_argument("--run", type=Path, required=True, help="folder of the learner's run")
    parser.add_argument("--resume", action="store_true", help="train on, or compare once more")
    parser.add_argument("--decks", type=int, default=60, help="decks of the comparison")
    parser.add_argument("--seed", type=int, default=11, help="of these decks")
    parser.add_argument("--workers", type=int, default=1, help="processes of the comparison")
    parser.add_argument("overrides", nargs="*", help="key.key=value for the configuration")
    given = parser.parse_args(arguments)
    if given.against is None and not given.resume:
        parser.error("--against is needed, except with --resume")
    try:
        config = _config(given)
        import bohnanza_env.arena.statistics  # noqa: F401  # missing packages are missed now
        from training.learner import train  # PyTorch: some seconds, once all is known to be right

        train(config, given.run, given.resume)
    except (OSError, ValueError) as problem:
        print(f"error: {problem}", file=sys.stderr)
        return 2
    say(f"comparison: {given.decks} decks from every seat")
    result = compare(config, given.run, given.decks, given.seed, given.workers)
    (given.run / "best_response.json").write_text(json.dumps(asdict(result), indent=1) + "\n")
    _print(config, result)
    return 0


def _config(given: argparse.Namespace) -> TrainingConfig:
    """The checked configuration: everybody else is the policy that is checked."""
    check_folder(given.run, given.resume)
    if given.decks < 1:
        raise ConfigError(f"--decks: expected at least 1, got {given.decks}")
    if given.workers < 1:
        raise ConfigError(f"--workers: expected at least 1, got {given.workers}")
    try:
        deck_seed(given.seed, given.decks - 1)
    except ValueError as problem:
        raise ConfigError(f"--seed, --decks: {problem}") from None
    if given.resume:
        check_overrides(given.overrides)
        config = load_config(given.run / "config.yaml", given.overrides)
        opponents = config.environment.opponents
        if not isinstance(opponents, str) or given.against not in (None, opponents):
            raise ConfigError(f"{given.run}: is a run against {opponents}, not {given.against}")
    else:
        load_player(given.against)
        overrides = [*given.overrides, f"environment.opponents={json.dumps(given.against)}"]
        config = load_config(given.config, overrides)
    check_config(config)
    return config


def _print(config: TrainingConfig, result: BestResponse) -> None:
    rules = rules_of(config)
    table = f"{rules.edition}, {rules.players} players, {rules.protocol}"
    others = f"{rules.players - 1} x {config.environment.opponents}"
    print(f"{table}; one chair among {others}; {result.decks} decks from every seat")
    print(f"frozen policy in the chair: {result.frozen:.2f} coins")
    print(f"learner in the chair: {result.learner:.2f} coins")
    print(f"advantage: {result.advantage:.2f} [{result.low:.2f}, {result.high:.2f}] coins")
    print(f"verdict: {result.verdict}")


if __name__ == "__main__":
    sys.exit(main())
