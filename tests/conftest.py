"""Settings of all tests: generated examples are the same in every run, so that CI is repeatable."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("repeatable", derandomize=True, database=None, deadline=None)
settings.load_profile("repeatable")
