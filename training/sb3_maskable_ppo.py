"""Train MaskablePPO (sb3-contrib) on ``Bohnanza-v0``.

    python -m training.sb3_maskable_ppo --config configs/amigo4_compact.yaml --run runs/first
    python -m training.sb3_maskable_ppo --run runs/first --resume

What a run logs (TensorBoard, ``tensorboard --logdir runs``):

- ``rollout/ep_rew_mean``: scaled reward an episode of the learner, against ``opponents``.
- ``rollout/ep_len_mean``: decisions of the learner an episode (forced ones are not counted).
- ``evaluation/coins``, ``evaluation/win_rate``, ``evaluation/own_deals``: on fixed decks, each
  from every seat, sampling from the policy.
- ``imitation/agreement``: share of the bot's decisions that the warm start reproduces.
- ``train/*``: as documented by Stable-Baselines3.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from training.checks import check_config, check_folder, check_overrides
from training.config import load_config

__all__ = ["main"]


def main(arguments: list[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description="Train MaskablePPO on Bohnanza-v0.")
    parser.add_argument("--config", type=Path, help="YAML file (see configs/)")
    parser.add_argument("--run", type=Path, required=True, help="folder of the run")
    parser.add_argument("--resume", action="store_true", help="go on from the last checkpoint")
    parser.add_argument("overrides", nargs="*", help="key.key=value, for example ppo.gamma=0.99")
    given = parser.parse_args(arguments)
    if given.config is None and not given.resume:
        parser.error("--config is needed, except with --resume")
    if given.config is not None and given.resume:
        parser.error("--config and --resume exclude each other: a run has its configuration")
    try:
        check_folder(given.run, given.resume)
        if given.resume:
            check_overrides(given.overrides)
        config = load_config(given.config or given.run / "config.yaml", given.overrides)
        check_config(config)
        from training.learner import train  # PyTorch: some seconds, once all is known to be right

        train(config, given.run, given.resume)
    except (FileExistsError, ValueError) as problem:
        print(f"error: {problem}", file=sys.stderr)
        return 2
    print(f"saved {given.run / 'policy.zip'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
