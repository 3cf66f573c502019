"""The documents that others read and write: positions, cases and records (docs/formats.md).

Import from :mod:`bohnanza_env.position` and :mod:`bohnanza_env.record`.
"""
