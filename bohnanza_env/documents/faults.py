"""Reading plain data: typed values out of JSON, and every fault with its place."""

from __future__ import annotations

import reprlib
from collections.abc import Collection, Mapping
from typing import Any

__all__ = ["DocumentError", "Faults", "shown"]

_short = reprlib.Repr()
_short.maxstring = _short.maxother = 60


def shown(value: object) -> str:
    """A value as it is quoted in a message, shortened."""
    return _short.repr(value)


class DocumentError(ValueError):
    """A document that cannot be used. The message lists every fault with its place.

    Attributes:
        faults: the faults, one text each, beginning with the place.
    """

    what = "document"

    def __init__(self, faults: list[str]) -> None:
        self.faults = list(faults)
        super().__init__(f"invalid {self.what}: " + "; ".join(self.faults))

    def __reduce__(self) -> tuple[type[DocumentError], tuple[list[str]]]:
        return type(self), (self.faults,)


class Faults:
    """Collects faults while a document is read; each reader returns a usable value anyway.

    Attributes:
        found: the faults so far.
        broken: the top-level keys in which faults were found.
    """

    def __init__(self, bean_names: Collection[str] = ()) -> None:
        self.found: list[str] = []
        self.broken: set[str] = set()
        self.beans = {name: number for number, name in enumerate(bean_names)}

    def add(self, place: str, what: str) -> None:
        """Note a fault. Places look like ``players[1].fields[0].count``."""
        self.found.append(f"{place}: {what}")
        self.broken.add(place.split(".")[0].split("[")[0])

    def need(self, right: bool, place: str, what: str) -> None:
        """Note a fault unless ``right``."""
        if not right:
            self.add(place, what)

    def expect(self, place: str, what: str, value: object) -> None:
        """Note a value of the wrong kind."""
        self.add(place, f"expected {what}, got {shown(value)}")

    # Typed values -------------------------------------------------------------------------

    def whole(self, place: str, value: object, low: int, high: int, default: int = 0) -> int:
        """A whole number from ``low`` to ``high``."""
        if isinstance(value, int) and not isinstance(value, bool) and low <= value <= high:
            return value
        self.expect(place, f"a whole number {low}–{high}", value)
        return default

    def flag(self, place: str, value: object) -> bool:
        """True or false."""
        if not isinstance(value, bool):
            self.expect(place, "true or false", value)
        return value is True

    def name(self, place: str, value: object, names: Collection[str], default: str) -> str:
        """One of some names."""
        if isinstance(value, str) and value in names:
            return value
        self.expect(place, "one of " + ", ".join(names), value)
        return default

    def sequence(self, place: str, value: object, longest: int | None = None) -> list[Any]:
        """A list, of ``longest`` entries at most."""
        if not isinstance(value, list | tuple):
            self.expect(place, "a list", value)
            return []
        if longest is not None and len(value) > longest:
            self.add(place, f"expected at most {longest} entries, got {len(value)}")
            return list(value[:longest])
        return list(value)

    def mapping(self, place: str, value: object, keys: Collection[str]) -> dict[str, Any]:
        """An object; keys that are not among ``keys`` are faults. ``place`` "" is the top."""
        if not isinstance(value, Mapping):
            self.expect(place or "document", "an object", value)
            return {}
        for key in value:
            if key not in keys:
                inner = f"{place}.{key}" if place else str(key)
                self.add(inner, f"unknown key; the keys are {', '.join(keys)}")
        return {key: value[key] for key in keys if key in value}

    # Beans --------------------------------------------------------------------------------

    def bean(self, place: str, value: object) -> int | None:
        """The number of a bean of these rules."""
        if isinstance(value, str) and value in self.beans:
            return self.beans[value]
        self.expect(place, "a bean of these rules (" + ", ".join(self.beans) + ")", value)
        return None

    def cards(self, place: str, value: object) -> list[int]:
        """A list of beans."""
        entries = self.sequence(place, value)
        read = [self.bean(f"{place}[{i}]", entry) for i, entry in enumerate(entries)]
        return [bean for bean in read if bean is not None]

    def counts(self, place: str, value: object, most: int) -> list[int]:
        """An object bean → cards, as one number a bean of the rules."""
        counts = [0] * len(self.beans)
        for name, number in self.mapping(place, value, self.beans).items():
            counts[self.beans[name]] = self.whole(f"{place}.{name}", number, 0, most)
        return counts
