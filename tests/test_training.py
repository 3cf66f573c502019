"""The training scripts: configuration, runs, resuming, and whether the objective is right."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from pathlib import Path

import gymnasium
import numpy as np
import pytest
import yaml
from gymnasium import spaces

from bohnanza_env.checkpoints import CheckpointError, load_policy, save_policy
from bohnanza_env.engine.rules import Rules
from tests.test_cli import run as cli
from training import best_response, demo
from training.checks import rules_of
from training.config import ConfigError, TrainingConfig, load_config
from training.learner import learn, make_model, train, vector_environment
from training.runs import latest_checkpoint
from training.sb3_maskable_ppo import main

KEEP, GIVE = 0, 1


class IncentiveProbe(gymnasium.Env):
    """Three seats in turn: KEEP pays the actor 0.6, GIVE pays the next seat 1.0.

    Keeping is best for a seat, whatever the others do. A trainer that credits a seat with rewards
    of others, or with the next seat's value, learns to give.
    """

    observation_space = spaces.Box(0, 1, (1,), np.float32)
    action_space = spaces.Discrete(2)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.rounds = 0
        return np.ones(1, np.float32), {}

    def step(self, action):
        own = 0.6 if action == KEEP else 0.0
        others = self.np_random.integers(2, size=2)  # the two seats behind, the last feeds us
        received = 1.0 if others[1] == GIVE else 0.0
        self.rounds += 1
        return np.ones(1, np.float32), own + received, self.rounds == 10, False, {}

    def action_masks(self):
        return np.ones(2, bool)


def test_incentive_probe_the_policy_must_not_give() -> None:
    settings = {"n_steps": 64, "batch_size": 128, "learning_rate": 3e-3, "ent_coef": 0.0}
    layers = {"actor": [16], "critic": [16]}
    config = TrainingConfig.model_validate({"seed": 3, "ppo": settings, "policy": layers})
    environments = vector_environment(IncentiveProbe, 4, config.seed)
    model = make_model(environments, config, None)
    learn(model, 6_000, [], fresh=True)
    observation, _ = model.policy.obs_to_tensor(np.ones((1, 1), np.float32))
    distribution = model.policy.get_distribution(observation)
    give = float(distribution.distribution.probs[0, GIVE].detach())
    assert give < 0.1


# Configuration --------------------------------------------------------------------------------


def write(path: Path, text: str) -> Path:
    path.write_text(text)
    return path


def test_every_configuration_of_the_project_is_valid() -> None:
    files = sorted(Path("configs").glob("*.yaml"))
    assert files
    for file in files:
        load_config(file)


def test_an_unknown_key_is_one_clear_error(tmp_path: Path) -> None:
    file = write(tmp_path / "a.yaml", "ppo: {gama: 0.9}\n")
    with pytest.raises(ConfigError, match=r"a\.yaml: ppo\.gama: unknown key; known here: .*gamma"):
        load_config(file)


def test_a_wrong_value_names_key_and_value(tmp_path: Path) -> None:
    file = write(tmp_path / "a.yaml", "ppo: {gamma: 2}\n")
    with pytest.raises(ConfigError, match=r"ppo\.gamma: .*less than or equal to 1, got 2"):
        load_config(file)


def test_overrides_from_the_command_line(tmp_path: Path) -> None:
    file = write(tmp_path / "a.yaml", "seed: 4\n")
    config = load_config(file, ["ppo.gamma=0.5", "environment.opponents=[random, greedy, random]"])
    assert (config.seed, config.ppo.gamma) == (4, 0.5)
    assert config.environment.opponents == ["random", "greedy", "random"]
    with pytest.raises(ConfigError, match="expected key=value"):
        load_config(file, ["seed"])


def test_a_missing_or_broken_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"nowhere\.yaml: cannot be read"):
        load_config(tmp_path / "nowhere.yaml")
    with pytest.raises(ConfigError, match="not YAML"):
        load_config(write(tmp_path / "b.yaml", "a: [1\n"))


@pytest.mark.parametrize(
    ("override", "message"),
    [
        ("environment.edition=skat", "unknown edition 'skat'"),
        ("environment.opponents=nobody", "nobody"),
        ("environment.reward=gold", "gold"),
        ("environment.players=6", "mini is for 2, 3 players, not 6"),
        ("environment.rules={protokol: compact}", "protokol"),
    ],
)
def test_values_that_the_environment_refuses_end_the_script_at_once(
    tmp_path: Path, capsys: pytest.CaptureFixture, override: str, message: str
) -> None:
    file = write(tmp_path / "a.yaml", TINY)
    assert main(["--config", str(file), "--run", str(tmp_path / "run"), override]) == 2
    assert message in capsys.readouterr().err
    assert not (tmp_path / "run" / "policy.zip").exists()


# Runs -----------------------------------------------------------------------------------------

TINY = """
steps: 64
checkpoint_every: 32
environment: {edition: mini, players: 2, rules: {protocol: compact}, opponents: random,
              environments: 2}
warm_start: {bot: greedy, games: 2, epochs: 1}
policy: {actor: [8], critic: [8]}
ppo: {n_steps: 16, batch_size: 16, n_epochs: 1}
evaluation: {every: 64, decks: 1}
"""


def test_a_run_trains_saves_logs_and_resumes(tmp_path: Path) -> None:
    config = load_config(write(tmp_path / "a.yaml", TINY))
    run = tmp_path / "run"
    model = train(config, run)
    assert model.num_timesteps >= 64
    assert latest_checkpoint(run) is not None
    assert list((run / "tensorboard").rglob("events*"))
    assert load_config(run / "config.yaml") == config

    before = load_policy(run / "policy.zip")
    longer = load_config(run / "config.yaml", ["steps=128"])
    resumed = train(longer, run, resume=True)
    assert resumed.num_timesteps >= 128
    assert before.num_timesteps < resumed.num_timesteps


@pytest.mark.parametrize(
    ("edition", "players", "protocol"),
    [
        ("classic", 5, "staged"),
        ("rio_grande", 3, "compact"),
        ("rio_grande", 7, "staged"),
        ("new_beans", 6, "compact"),
    ],
)
def test_every_trading_edition_can_be_trained_on(
    tmp_path: Path, edition: str, players: int, protocol: str
) -> None:
    table = {"edition": edition, "players": players, "rules": {"protocol": protocol}}
    data = yaml.safe_load(TINY)
    data["environment"] |= table
    data |= {"warm_start": {"games": 0}, "steps": 32}
    model = train(TrainingConfig.model_validate(data), tmp_path / "run")
    assert model.num_timesteps >= 32
    load_policy(tmp_path / "run" / "policy.zip", Rules.of(edition, players, protocol=protocol))


def test_a_folder_with_a_run_is_not_overwritten(tmp_path: Path) -> None:
    config = load_config(write(tmp_path / "a.yaml", TINY))
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "policy.zip").write_text("precious")
    with pytest.raises(FileExistsError, match="is not empty and holds no run"):
        train(config, tmp_path / "run")
    assert (tmp_path / "run" / "policy.zip").read_text() == "precious"
    train(config, tmp_path / "other")
    with pytest.raises(FileExistsError, match="holds a run already; resume it"):
        train(config, tmp_path / "other")
    with pytest.raises(CheckpointError, match="no checkpoint"):
        train(config, tmp_path / "run", resume=True)


def test_a_start_that_fails_leaves_nothing_behind(tmp_path: Path) -> None:
    config = load_config(write(tmp_path / "a.yaml", TINY), ["warm_start.bot=nobody"])
    with pytest.raises(ValueError, match=r"nobody.*random"):
        train(config, tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_what_a_resumed_run_cannot_change_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    file, run = write(tmp_path / "a.yaml", TINY), str(tmp_path / "run")
    assert main(["--config", str(file), "--run", run]) == 0
    before = (tmp_path / "run" / "config.yaml").read_text()
    assert main(["--run", run, "--resume", "ppo.learning_rate=0.5"]) == 2
    assert "cannot change when a run is resumed; steps, minutes" in capsys.readouterr().err
    assert (tmp_path / "run" / "config.yaml").read_text() == before
    assert main(["--run", str(tmp_path / "none"), "--resume"]) == 2
    assert "no checkpoint to resume from" in capsys.readouterr().err


def test_a_policy_for_other_rules_says_what_differs(tmp_path: Path) -> None:
    config = load_config(write(tmp_path / "a.yaml", TINY))
    model = train(config, tmp_path / "run")
    mini = Rules.of("mini", 2, protocol="compact")
    path = tmp_path / "policy.zip"
    save_policy(model, mini, path)
    load_policy(path, mini)
    with pytest.raises(CheckpointError, match=r"protocol: trained with 'compact', wanted 'staged'"):
        load_policy(path, Rules.of("mini", 2))
    path.write_bytes(path.read_bytes()[:200])
    with pytest.raises(CheckpointError, match="not a policy that can be read"):
        load_policy(path, mini)
    with pytest.raises(CheckpointError, match="no such file"):
        load_policy(tmp_path / "none.zip")


# The demo -------------------------------------------------------------------------------------


def test_the_demo_ends_with_commands_that_work(
    tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    file, run = write(tmp_path / "a.yaml", TINY), tmp_path / "run"
    assert demo.main(["--config", str(file), "--run", str(run), "--decks", "1"]) in (0, 1)
    lines = capsys.readouterr().out.split("To go on:")[1].splitlines()
    commands = {words[0] + " " + words[1]: words for words in map(shlex.split, filter(None, lines))}
    assert "0 trained" in cli("replay", *commands["bohnanza replay"][2:]).stdout
    told = cli("tournament", *commands["bohnanza tournament"][2:]).stdout
    assert "mini, 2 players, compact; 3 decks" in told
    script, *arguments = commands["python -m"][2:]
    assert script == "training.sb3_maskable_ppo"
    assert main(arguments) == 0
    assert list(Path(commands["tensorboard --logdir"][2]).rglob("events*"))


def test_the_demo_names_its_table_of_the_suite() -> None:
    config = load_config(demo.CONFIG)
    commands = demo.next_commands(Path("runs/x"), rules_of(config))
    wanted = "bohnanza evaluate mine=runs/x --quick --only amigo-4-compact"
    assert wanted in commands
    assert wanted.replace("runs/x", "runs/demo-…") in Path("README.md").read_text(encoding="utf-8")


# Networks as opponents ------------------------------------------------------------------------


def test_a_run_may_play_against_the_network_of_another(tmp_path: Path) -> None:
    config = load_config(write(tmp_path / "a.yaml", TINY))
    train(config, tmp_path / "first")
    opponents = f"environment.opponents={tmp_path / 'first'}"
    against = load_config(tmp_path / "a.yaml", [opponents, "warm_start.games=0"])
    model = train(against, tmp_path / "second")
    assert model.num_timesteps >= 64
    assert model.get_env().venv.env.num_envs == 2  # one vector for all games
    again = train(against, tmp_path / "third")
    ours, theirs = (m.policy.state_dict() for m in (model, again))
    assert all((ours[name] == theirs[name]).all() for name in ours)
    other = load_config(tmp_path / "a.yaml", [opponents, "environment.rules={protocol: staged}"])
    with pytest.raises(ConfigError, match=r"opponents: .*protocol: trained with 'compact'"):
        train(other, tmp_path / "fourth")
    with pytest.raises(ConfigError, match=r"opponents: .*none\.zip: no such file"):
        train(load_config(tmp_path / "a.yaml", ["environment.opponents=none.zip"]), tmp_path / "x")
    assert not (tmp_path / "x").exists()


def test_bad_arguments_are_refused_before_torch_is_imported(tmp_path: Path) -> None:
    program = (
        "import sys; from training import demo, sb3_maskable_ppo as ppo; "
        "codes = [ppo.main(['--run', 'x', '--config', sys.argv[1], 'environment.edition=skat']), "
        "demo.main(['--config', sys.argv[1], '--run', sys.argv[2], 'environment.reward=gold'])]; "
        "print(codes, 'torch' in sys.modules)"
    )
    file = write(tmp_path / "a.yaml", TINY)
    arguments = [sys.executable, "-c", program, str(file), str(tmp_path / "run")]
    done = subprocess.run(arguments, capture_output=True, text=True, check=True)
    assert done.stdout == "[2, 2] False\n"
    assert "unknown edition 'skat'" in done.stderr
    assert "gold" in done.stderr


# Best responses -------------------------------------------------------------------------------


def test_the_advantage_of_a_best_response(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    file, run = write(tmp_path / "a.yaml", TINY), tmp_path / "run"
    command = ["--config", str(file), "--run", str(run), "--decks", "3"]
    assert best_response.main([*command, "--against", "random"]) == 0
    told = capsys.readouterr().out
    result = json.loads((run / "best_response.json").read_text())
    assert "one chair among 1 x random; 3 decks from every seat" in told
    assert result["verdict"] == "too few decks for a claim"
    assert np.isclose(result["advantage"], result["learner"] - result["frozen"])
    assert result["low"] <= result["advantage"] <= result["high"]
    again = ["--run", str(run), "--resume", "--decks", "3"]
    assert best_response.main(again) == 0
    assert json.loads((run / "best_response.json").read_text()) == result
    assert best_response.main([*again, "--against", "greedy"]) == 2
    assert "is a run against random, not greedy" in capsys.readouterr().err


@pytest.mark.parametrize("wrong", [["--seed", "-1"], ["--workers", "0"], ["--decks", "2000000"]])
def test_a_comparison_that_cannot_be_is_refused_before_training(
    tmp_path: Path, capsys: pytest.CaptureFixture, wrong: list[str]
) -> None:
    file, run = write(tmp_path / "a.yaml", TINY), tmp_path / "run"
    command = ["--config", str(file), "--run", str(run), "--against", "random"]
    assert best_response.main([*command, *wrong]) == 2
    assert wrong[0] in capsys.readouterr().err
    assert not run.exists()


def test_a_best_response_to_nobody(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    file = write(tmp_path / "a.yaml", TINY)
    command = ["--config", str(file), "--run", str(tmp_path / "run"), "--against", "nobody"]
    assert best_response.main(command) == 2
    assert "unknown policy 'nobody'; known bots: random" in capsys.readouterr().err
    assert not (tmp_path / "run").exists()
