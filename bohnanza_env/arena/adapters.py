"""Whatever decides from an observation, as a policy: saved networks, torch modules, callables."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable
from copy import deepcopy
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from bohnanza_env.bots.policy import plain_mask
from bohnanza_env.checkpoints import load_policy, made_for
from bohnanza_env.engine.action_codec import ActionSpace
from bohnanza_env.engine.rules import Rules
from bohnanza_env.observation import observe

if TYPE_CHECKING:
    import torch

__all__ = ["SAMPLING", "CallablePolicy", "CheckpointPolicy", "TorchPolicy", "is_torch_module"]

# How an action is taken from probabilities: drawn, or the likeliest one (the first of equals).
SAMPLING = ("stochastic", "deterministic")
_CACHED_MODELS = 32


class CallablePolicy:
    """A plain function ``function(observation, mask) -> action`` as a policy.

    Args:
        function: gets the flat observation (int16, as ``Bohnanza-v0`` gives it) and the mask
            (int8), both its own; returns a legal action. It should keep no state between calls:
            one that does is better written as a ``Policy``.
        name: shown in tables.
        version: goes into the rows.
        rules: the only rules it can play; ``None`` for any.
    """

    def __init__(
        self,
        function: Callable[[np.ndarray, np.ndarray], int],
        name: str = "callable",
        version: str = "",
        rules: Rules | None = None,
    ) -> None:
        self.function, self.name, self.version, self.rules = function, name, version, rules
        self._table: Rules | None = rules

    def reset(self, rules: Rules, seat: int, seed: int) -> None:
        self._table = rules

    def act(self, view: np.ndarray, mask: np.ndarray) -> int:
        rules = _known(self._table)
        mask = plain_mask(mask, ActionSpace.of(rules).size)
        return int(self.function(observe(rules, view), mask))


class TorchPolicy:
    """A torch module from observations to logits as a policy.

    Args:
        module: is called with observations, float32 of shape (1, size), unscaled, and returns
            logits of shape (1, actions). A copy is used, in evaluation mode, on the CPU.
        name, rules: as for ``CallablePolicy``.
        version: goes into the rows; by default digits of the weights.
        sampling: one of ``SAMPLING``; legal actions only either way.
    """

    def __init__(
        self,
        module: torch.nn.Module,
        name: str = "module",
        version: str = "",
        rules: Rules | None = None,
        sampling: str = "stochastic",
    ) -> None:
        self.module = deepcopy(module).cpu().eval()
        self.name, self.rules, self.sampling = name, rules, _known_sampling(sampling)
        self.version = f"{version or _weights_digest(self.module)} {sampling}"
        self._table: Rules | None = rules
        self._random = np.random.default_rng(0)

    def reset(self, rules: Rules, seat: int, seed: int) -> None:
        self._table, self._random = rules, np.random.default_rng([seed, seat])

    def act(self, view: np.ndarray, mask: np.ndarray) -> int:
        import torch

        rules = _known(self._table)
        mask = plain_mask(mask, ActionSpace.of(rules).size)
        with torch.inference_mode():
            seen = torch.as_tensor(observe(rules, view)[None]).float()
            logits = self.module(seen).numpy()
        if logits.shape != (1, len(mask)):
            raise ValueError(
                f"policy {self.name!r}: expected logits of shape (1, {len(mask)}), "
                f"got {logits.shape}"
            )
        return int(_pick(logits, mask[None], self.sampling, self._random)[0])


class CheckpointPolicy:
    """A policy that MaskablePPO trained and ``training/`` saved, as a policy of the arena.

    The network is loaded at its first decision, once in each process, so the object is small to
    copy and to pickle. Games depend on the file, ``sampling`` and ``reset`` alone.

    Args:
        path: the file, ``.zip``, or the folder of a run, whose ``policy.zip`` it is.
        name: shown in tables; by default the name of the run or of the file.
        sampling: one of ``SAMPLING``; stochastic is how it was trained.

    Attributes:
        rules: the rules it was made for, and the only ones it can play.
        version: digits of the file's digest, and the sampling.

    Raises:
        CheckpointError: no such file, or no policy of this project.
    """

    def __init__(self, path: str | Path, name: str = "", sampling: str = "stochastic") -> None:
        path = Path(path)
        file = path / "policy.zip" if path.is_dir() else path
        self.rules = made_for(file)
        self.path = file.absolute()
        self.name = name or _name_of(self.path)
        self.sampling = _known_sampling(sampling)
        self._digest = _digest(self.path)
        self.version = f"{self._digest} {sampling}"
        self._random = np.random.default_rng(0)

    def reset(self, rules: Rules, seat: int, seed: int) -> None:
        self._random = np.random.default_rng([seed, seat])

    def act(self, view: np.ndarray, mask: np.ndarray) -> int:
        mask = plain_mask(mask, ActionSpace.of(self.rules).size)
        return int(self(observe(self.rules, view)[None], mask[None])[0])

    def __call__(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """Actions for many tables at once: it is a ``BatchPolicy`` of ``SeatVectorEnv``, too."""
        import torch

        wanted = len(observations), ActionSpace.of(self.rules).size
        if masks.shape != wanted:
            raise ValueError(f"masks: expected an array of shape {wanted}, got {masks.shape}")
        policy = _loaded(self.path, self._digest).policy
        with torch.inference_mode():
            seen, _ = policy.obs_to_tensor(observations)
            features = policy.extract_features(seen, policy.pi_features_extractor)
            # As ``policy.get_distribution``, whose masking takes twice the time of all else.
            logits = policy.action_net(policy.mlp_extractor.forward_actor(features)).numpy()
        return _pick(logits, masks, self.sampling, self._random)

    def __repr__(self) -> str:
        return f"CheckpointPolicy({str(self.path)!r}, {self.name!r}, {self.sampling!r})"


@lru_cache(maxsize=_CACHED_MODELS)
def _loaded(path: Path, digest: str) -> Any:
    if _digest(path) != digest:
        raise ValueError(f"{path}: has changed since the policy was named")
    import torch

    # Loading would seed everything with the training's seed, and draws weights before it has them.
    with torch.random.fork_rng(devices=[]):
        return load_policy(path, device="cpu", custom_objects={"seed": None})


def _name_of(path: Path) -> str:
    return path.parent.name if path.name == "policy.zip" else path.stem


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()[:12]


def _weights_digest(module: torch.nn.Module) -> str:
    digest = hashlib.sha256()
    for name, weights in module.state_dict().items():
        digest.update(name.encode())
        digest.update(weights.numpy().tobytes())
    return digest.hexdigest()[:12]


def _known(rules: Rules | None) -> Rules:
    if rules is None:
        raise RuntimeError("reset() comes before act()")
    return rules


def _known_sampling(sampling: str) -> str:
    if sampling not in SAMPLING:
        raise ValueError(f"sampling: expected one of {', '.join(SAMPLING)}, got {sampling!r}")
    return sampling


def _pick(
    logits: np.ndarray, masks: np.ndarray, sampling: str, random: np.random.Generator
) -> np.ndarray:
    """One legal action a row; logits and masks have the shape (rows, actions)."""
    legal = np.where(masks != 0, logits.astype(float), -np.inf)
    if sampling == "deterministic":
        return legal.argmax(axis=1)
    sums = np.exp(legal - legal.max(axis=1, keepdims=True)).cumsum(axis=1)
    whole = sums[:, -1:]
    drawn = np.minimum(random.random((len(sums), 1)) * whole, np.nextafter(whole, 0))
    return (sums <= drawn).sum(axis=1)


def is_torch_module(thing: Any) -> bool:
    """Whether it is a torch module; where torch was never imported, nothing is one."""
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(thing, torch.nn.Module)
