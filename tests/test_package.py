"""The package itself: what importing it loads, and its public names."""

from __future__ import annotations

import subprocess
import sys

import pytest

# What comes with gymnasium and pettingzoo beside numpy.
_LIGHT = {"bohnanza_env", "numpy", "gymnasium", "pettingzoo", "farama_notifications"}
_HEAVY = {"numba", "torch", "pandas", "scipy", "matplotlib", "ray", "pydantic", "typer", "rich"}


def test_importing_the_package_loads_little():
    program = (
        "import sys; before = set(sys.modules); import bohnanza_env;"
        "print(*sorted({m.partition('.')[0] for m in set(sys.modules) - before}))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    loaded = set(done.stdout.split()) - sys.stdlib_module_names
    assert loaded >= _LIGHT, done.stderr
    assert not loaded & _HEAVY


def test_public_names():
    import bohnanza_env

    for name in bohnanza_env.__all__:
        assert getattr(bohnanza_env, name) is not None
        assert name in dir(bohnanza_env)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        bohnanza_env.nothing  # noqa: B018
