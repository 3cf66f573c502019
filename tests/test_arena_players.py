"""Every kind of player: bots, policies, functions, torch modules, saved networks."""

from __future__ import annotations

import pickle
import zipfile
from copy import deepcopy
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("joblib")
pytest.importorskip("sb3_contrib")
import pandas as pd
import torch
from pandas.testing import assert_frame_equal

from bohnanza_env.arena import (
    CallablePolicy,
    CheckpointPolicy,
    Schedule,
    TorchPolicy,
    load_player,
    play_schedule,
)
from bohnanza_env.arena.players import source_of
from bohnanza_env.bots import BotPolicy
from bohnanza_env.checkpoints import CheckpointError, made_for, save_policy
from bohnanza_env.engine.action_codec import ActionSpace
from bohnanza_env.engine.game import Game
from bohnanza_env.engine.rules import Rules
from bohnanza_env.observation import ObservationLayout
from bohnanza_env.search import SearchPolicy
from bohnanza_env.seat_vector import SeatVectorEnv
from bohnanza_env.single_agent import BohnanzaEnv
from bohnanza_env.view import view_of
from tests.test_cli import complaint, run
from training.config import TrainingConfig
from training.learner import make_model, vector_environment

MINI = Rules.of("mini", 2, protocol="compact")
SIZE, ACTIONS = ObservationLayout.of(MINI).size, ActionSpace.of(MINI).size


def schedule(name: str, decks: int = 3) -> Schedule:
    return Schedule(MINI, ((name, "greedy"), (name, name)), decks, seed=1)


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An untrained network in the folder of a run."""
    data = {"policy": {"actor": [8], "critic": [8]}, "environment": {"environments": 1}}
    config = TrainingConfig.model_validate(data)
    model = make_model(vector_environment(lambda: BohnanzaEnv(rules=MINI), 1, 1), config, None)
    folder = tmp_path_factory.mktemp("runs") / "first"
    save_policy(model, MINI, folder / "policy.zip")
    return folder


def last_legal(observation: np.ndarray, mask: np.ndarray) -> int:
    assert observation.shape == (SIZE,)
    assert observation.dtype == np.int16
    return int(np.flatnonzero(mask)[-1])


class LastLegal:
    name = "last"

    def reset(self, rules: Rules, seat: int, seed: int) -> None:
        pass

    def act(self, view: np.ndarray, mask: np.ndarray) -> int:
        return int(np.flatnonzero(mask)[-1])


# Functions and modules ------------------------------------------------------------------------


def assert_same_games(one: pd.DataFrame, other: pd.DataFrame) -> None:
    """Equal rows, whoever it was that played them."""
    same = [column for column in one if not column.startswith(("version", "source"))]
    assert_frame_equal(one[same], other[same])


def test_a_function_plays_as_the_policy_that_does_the_same() -> None:
    by_function = play_schedule(schedule("last"), {"last": last_legal})
    assert_same_games(by_function, play_schedule(schedule("last"), {"last": LastLegal()}))
    named = {"last": CallablePolicy(last_legal, "last", version="7", rules=MINI)}
    assert play_schedule(schedule("last"), named)["version_0"][0] == "7"


class Prefers(torch.nn.Module):
    """Rising logits: the last legal action is the likeliest."""

    def __init__(self, steepness: float = 100.0, actions: int = ACTIONS) -> None:
        super().__init__()
        self.logits = torch.nn.Parameter(steepness * torch.arange(float(actions)))

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        assert observations.dtype == torch.float32
        return self.logits.expand(len(observations), -1)


def test_a_module_takes_legal_actions_only() -> None:
    expected = play_schedule(schedule("last"), {"last": LastLegal()})
    by_module = play_schedule(schedule("last"), {"last": Prefers()})
    assert TorchPolicy(Prefers()).version == TorchPolicy(Prefers()).version
    assert TorchPolicy(Prefers()).version != TorchPolicy(Prefers(2.0)).version
    assert_same_games(by_module, expected)
    with pytest.raises(ValueError, match=r"expected logits of shape \(1, \d+\), got \(1, 3\)"):
        play_schedule(schedule("last"), {"last": Prefers(actions=3)})


def test_sampling_is_by_the_probabilities() -> None:
    game = Game(MINI, 1)
    view, mask = view_of(game, game.to_act), game.mask
    legal = np.flatnonzero(mask)
    assert len(legal) >= 2
    policy = TorchPolicy(Prefers(0.3), rules=MINI)
    drawn = []
    for seed in range(600):
        policy.reset(MINI, 0, seed)
        drawn.append(policy.act(view, mask))
    expected = np.exp(0.3 * legal) / np.exp(0.3 * legal).sum()
    found = np.array([drawn.count(action) for action in legal]) / len(drawn)
    assert found == pytest.approx(expected, abs=0.08)
    policy = TorchPolicy(Prefers(0.3), rules=MINI, sampling="deterministic")
    assert policy.act(view, mask) == legal[-1]
    with pytest.raises(ValueError, match="sampling: expected one of stochastic, deterministic"):
        TorchPolicy(Prefers(), sampling="greedy")


def test_a_policy_needs_to_know_the_rules() -> None:
    game = Game(MINI, 1)
    with pytest.raises(RuntimeError, match="reset"):
        CallablePolicy(last_legal).act(view_of(game, game.to_act), game.mask)


# Saved networks -------------------------------------------------------------------------------


def test_a_saved_network_plays_the_same_games_again(saved: Path) -> None:
    rows = play_schedule(schedule("net"), {"net": CheckpointPolicy(saved)})
    again = play_schedule(schedule("net"), {"net": CheckpointPolicy(saved / "policy.zip")})
    assert_frame_equal(rows, again)
    assert rows["version_0"][0].endswith(" stochastic")
    by_mode = play_schedule(schedule("net"), {"net": CheckpointPolicy(saved, "", "deterministic")})
    assert by_mode["version_0"][0].endswith(" deterministic")
    assert by_mode["decisions"].tolist() != rows["decisions"].tolist()


def test_it_decides_as_the_model_would(saved: Path) -> None:
    from sb3_contrib import MaskablePPO

    model = MaskablePPO.load(saved / "policy.zip")
    policy = CheckpointPolicy(saved, sampling="deterministic")
    env = SeatVectorEnv(16, rules=MINI, opponents="random")
    observations, info = env.reset(seed=3)
    wanted = model.predict(observations, action_masks=info["action_mask"], deterministic=True)[0]
    assert policy(observations, info["action_mask"]).tolist() == wanted.tolist()
    # And it draws as often: the model's own probabilities of one table, within chance.
    seen, _ = model.policy.obs_to_tensor(observations[:1])
    masks = info["action_mask"][:1]
    expected = model.policy.get_distribution(seen, action_masks=masks).distribution.probs
    policy = CheckpointPolicy(saved)
    drawn = policy(observations[:1].repeat(4000, axis=0), masks.repeat(4000, axis=0))
    found = np.bincount(drawn, minlength=ACTIONS) / 4000
    assert found == pytest.approx(expected.detach().numpy()[0], abs=0.04)


def test_masks_of_another_shape(saved: Path) -> None:
    policy, game = CheckpointPolicy(saved), Game(MINI, 1)
    view = view_of(game, game.to_act)
    with pytest.raises(ValueError, match=rf"^mask: expected an array of shape \({ACTIONS},\)"):
        policy.act(view, game.mask[:1])
    seen = np.zeros((3, SIZE), np.int16)
    for masks in (np.ones((3, 1)), np.ones((1, ACTIONS)), game.mask):
        with pytest.raises(ValueError, match=rf"^masks: expected .* \(3, {ACTIONS}\), got \("):
            policy(seen, masks)


def test_loading_leaves_the_random_state_of_others_alone(saved: Path, tmp_path: Path) -> None:
    copied = tmp_path / "other.zip"  # one that no test has loaded
    copied.write_bytes((saved / "policy.zip").read_bytes())
    before = torch.random.get_rng_state(), np.random.get_state()[1].copy()  # noqa: NPY002
    play_schedule(schedule("net", 1), {"net": CheckpointPolicy(copied)})
    assert (torch.random.get_rng_state() == before[0]).all()
    assert (np.random.get_state()[1] == before[1]).all()  # noqa: NPY002


def test_it_is_light_to_copy_and_plays_in_the_environments(saved: Path) -> None:
    policy = CheckpointPolicy(saved)
    assert policy.name == "first"
    env = BohnanzaEnv(rules=MINI, opponents=policy)
    _, info = env.reset(seed=1)
    env.step(int(info["action_mask"].argmax()))
    assert len(pickle.dumps(policy)) < 10_000
    twin = deepcopy(policy)
    view, mask = view_of(env.game, env.game.to_act), env.game.mask
    assert [policy.act(view, mask) for _ in range(5)] == [twin.act(view, mask) for _ in range(5)]
    batch = SeatVectorEnv(4, rules=MINI, opponents=CheckpointPolicy(saved))
    batch.reset(seed=1)


def test_other_rules_are_one_error_that_says_what_differs(saved: Path) -> None:
    other = Rules.of("mini", 2, protocol="staged", final_exhaustion=3)
    wanted = Schedule(other, (("net", "greedy"),), 1)
    with pytest.raises(ValueError) as caught:
        play_schedule(wanted, {"net": CheckpointPolicy(saved)})
    for part in (
        "net: made for another game",
        "final_exhaustion: trained with 2, wanted 3",
        "protocol: trained with 'compact', wanted 'staged'",
    ):
        assert part in str(caught.value)
    assert str(caught.value).count("trained with") == 2


def test_the_command_line_names_a_table_that_fits(saved: Path) -> None:
    seats = f"mine={saved},random"
    told = complaint("match", "--edition", "mini", "--seats", seats, "--protocol", "staged")
    assert told.startswith("--seats: mine: made for another game: protocol: ")
    assert told.endswith("; a table that fits: --protocol compact")
    told = complaint("tournament", "--policies", f"{saved},random", "--edition", "mini_exact")
    assert told.endswith("; a table that fits: --edition mini --protocol compact")
    told = complaint("tournament", "--policies", f"{saved},nobody", "--edition", "mini",
                     "--protocol", "compact", "--players", "2")  # fmt: skip
    assert "a table" not in told
    hint = "--edition mini --players 2 --protocol compact".split()
    run("match", *hint, "--seats", seats, "--games", "1")


def test_files_that_are_no_policies(saved: Path, tmp_path: Path) -> None:
    from sb3_contrib import MaskablePPO

    assert made_for(saved / "policy.zip") == MINI
    with pytest.raises(CheckpointError, match="no such file"):
        CheckpointPolicy(tmp_path)
    (tmp_path / "text.zip").write_text("no archive")
    with pytest.raises(CheckpointError, match=r"text\.zip: not a policy that can be read"):
        CheckpointPolicy(tmp_path / "text.zip")
    model = MaskablePPO.load(saved / "policy.zip")
    del model.bohnanza_layout
    model.save(tmp_path / "bare.zip")
    with pytest.raises(CheckpointError, match="does not say for which rules"):
        CheckpointPolicy(tmp_path / "bare.zip")
    changing = tmp_path / "changing.zip"
    changing.write_bytes((saved / "policy.zip").read_bytes())
    policy = CheckpointPolicy(changing)
    model.bohnanza_layout = {"rules": MINI.to_dict(), "observation": "other"}
    model.save(changing)
    with pytest.raises(CheckpointError, match="observation layout: of another version"):
        CheckpointPolicy(changing)
    with pytest.raises(ValueError, match="has changed since"):
        play_schedule(schedule("net", 1), {"net": policy})


@pytest.mark.parametrize("damage", ["nested", "list", "encrypted"])
def test_archives_of_any_kind_get_one_error(tmp_path: Path, damage: str):
    path = tmp_path / "odd.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("data", {"nested": "[" * 100_000, "list": "[1]"}.get(damage, "{}"))
    if damage == "encrypted":
        data = bytearray(path.read_bytes())
        data[6] |= 1  # the flag in both headers
        data[data.rfind(b"PK\x01\x02") + 8] |= 1
        path.write_bytes(data)
    with pytest.raises(CheckpointError, match=r"odd\.zip: not a policy that can be read"):
        made_for(path)


# By text --------------------------------------------------------------------------------------


def test_networks_by_text(saved: Path) -> None:
    for text, name, sampling in (
        (str(saved), "first", "stochastic"),
        (f"{saved}/policy.zip", "first", "stochastic"),
        (f"mine=sb3:{saved}/policy.zip", "mine", "stochastic"),
        (f"{saved}@deterministic", "first", "deterministic"),
    ):
        found, player = load_player(text)
        assert isinstance(player, CheckpointPolicy)
        assert (found, player.sampling) == (name, sampling)


def test_what_players_are_by_any_name(saved: Path) -> None:
    for player, source in (
        ("trader", "trader"),
        (BotPolicy("greedy"), "greedy"),
        (SearchPolicy(4), "search:4"),
        (CheckpointPolicy(saved, "net"), "a saved network"),
        (CallablePolicy(last_legal), f"{__name__}:last_legal"),
        (TorchPolicy(torch.nn.Linear(2, 2)), "torch.nn.modules.linear:Linear"),
        (LastLegal(), f"{__name__}:LastLegal"),
    ):
        assert source_of(player) == source
    assert source_of(LastLegal(), "mine=bots:make@stochastic") == "bots:make"
    assert source_of(BotPolicy("greedy"), "mine=bots:make") == "greedy"
    assert source_of(SearchPolicy(8), "mine=bots:make") == "search:8"
    longer = source_of(SearchPolicy(8, turns=9), "mine=bots:make")
    assert longer.startswith("SearchPolicy(rollouts=8, turns=9, ")


@pytest.mark.parametrize("text", ["", " ", "mine=", "@stochastic"])
def test_a_policy_without_a_name(text: str) -> None:
    with pytest.raises(ValueError, match=r"^policy '.*': it names nothing; known bots: random, "):
        load_player(text)


def test_another_policy_under_the_same_name_is_not_gone_on_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("bots_a", "bots_b"):
        text = "def pick(observation, mask):\n    return int(mask.argmax())\n"
        (tmp_path / f"{module}.py").write_text(text)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    table = "--edition mini --players 2 --decks 1".split()
    for suffix in ("csv", "parquet"):
        file = ["--out", f"games.{suffix}"]
        run("tournament", "--policies", "mine=bots_a:pick,greedy", *table, *file)
        before = Path(file[1]).read_bytes()
        told = complaint(
            "tournament", "--policies", "mine=bots_b:pick,greedy", *table, *file, "--resume"
        )
        assert "in its games mine is bots_a:pick, now it is bots_b:pick" in told
        assert Path(file[1]).read_bytes() == before
        run("tournament", "--policies", "mine=bots_a:pick,greedy", *table, *file, "--resume")
    command = "--only amigo-3-compact --decks 1 --out suite --json".split()
    run("evaluate", "mine=bots_a:pick", *command)
    told = complaint("evaluate", "mine=bots_b:pick", *command, "--resume")
    assert "focal:mine is bots_a:pick, now it is bots_b:pick" in told
    run("evaluate", "mine=bots_a:pick", *command, "--resume")


def test_players_by_text(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "my_bots.py").write_text(
        "from bohnanza_env.bots import BotPolicy\n"
        "ready = BotPolicy('greedy')\n"
        "def make():\n    return BotPolicy('random')\n"
        "number = 3\n"
        "def function(observation, mask):\n    return int(mask.argmax())\n"
        "import torch\n"
        "module = torch.nn.Linear(2, 2)\n"
        "class Made:\n"
        "    def __call__(self, observation, mask):\n        return int(mask.argmax())\n"
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    assert load_player("trader") == ("trader", "trader")
    assert load_player("second=trader") == ("second", "trader")
    assert load_player("my_bots:ready")[0] == "greedy"
    name, player = load_player("mine=my_bots:make")
    assert (name, player.name) == ("mine", "random")  # type: ignore[union-attr]
    assert isinstance(load_player("my_bots:function")[1], CallablePolicy)
    assert load_player("my_bots:function")[0] == "function"
    assert isinstance(load_player("made=my_bots:Made")[1], CallablePolicy)
    module = load_player("my_bots:module@deterministic")[1]
    assert isinstance(module, TorchPolicy)
    assert module.version.endswith(" deterministic")
    for text, words in (
        ("chess", "known bots: random"),
        ("my_bots:none", "no attribute 'none'"),
        ("no_such_module:x", "No module named"),
        ("my_bots:number", "expected a bot's name, a Policy, a torch module"),
        ("trader@deterministic", "is for networks, this is a bot"),
        ("my_bots:make@often", "expected @stochastic or @deterministic"),
        ("nowhere.zip", "nowhere.zip: no such file"),
        ("sb3:nowhere", "no such file"),
    ):
        with pytest.raises(ValueError, match=words):
            load_player(text)
