"""The package itself: what importing it loads, and its public names."""

from __future__ import annotations

import subprocess
import sys

import pytest


def test_importing_the_package_loads_little():
    program = "import sys, bohnanza_env; print([m for m in ('numba', 'torch') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout == "[]\n", done.stderr


def test_public_names():
    import bohnanza_env

    for name in bohnanza_env.__all__:
        assert getattr(bohnanza_env, name) is not None
        assert name in dir(bohnanza_env)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        bohnanza_env.nothing  # noqa: B018
