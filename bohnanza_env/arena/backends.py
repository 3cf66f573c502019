"""Where games are played: the backends of joblib, and Ray for many machines."""

from __future__ import annotations

from joblib.parallel import BACKENDS

__all__ = ["BACKEND_NAMES", "check_backend"]

BACKEND_NAMES = ("loky", "threading", "multiprocessing", "sequential", "ray")


def check_backend(name: str | None) -> str | None:
    """The name of a backend that joblib knows; ``ray`` is made known to it.

    Ray connects to the cluster that ``RAY_ADDRESS`` or ``ray.init`` names, else it starts one on
    this machine.

    Raises:
        ValueError: an unknown backend, or ``ray`` where it is not installed.
    """
    if name is None or name in BACKENDS:
        return name
    if name != "ray":
        raise ValueError(f"unknown backend {name!r}; backends: {', '.join(BACKEND_NAMES)}")
    try:
        from ray.util.joblib import register_ray
    except ImportError:
        raise ValueError("backend ray: Ray is missing: pip install 'bohnanza-env[ray]'") from None
    register_ray()
    return name
