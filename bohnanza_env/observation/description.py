"""A flat observation in words, made from the list of its pieces, so that nothing is left out."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from .pieces import Axis, Piece

__all__ = ["describe_pieces"]

# Pieces told together with another one of the same axes.
_FIELD_PIECES = ("field_bean field_count field_coins next_coins next_missing protected").split()


def describe_pieces(pieces: tuple[Piece, ...], parts: Mapping[str, np.ndarray]) -> str:
    """One line a piece (fields: one a player), under the headings of their groups."""
    lines: list[str] = []
    group = ""
    for piece in pieces:
        if piece.group != group:
            group = piece.group
            lines.append(f"{group.capitalize()}:")
        if piece.name == "field_bean":
            lines += _fields(piece, parts)
        elif piece.name not in _FIELD_PIECES:
            name = piece.name.replace("_", " ")
            lines.append(f"  {name}: {_words(piece, piece.axes, parts[piece.name])}")
    return "\n".join(lines)


def _fields(piece: Piece, parts: Mapping[str, np.ndarray]) -> list[str]:
    """A line for each player: what stands in the fields and what it is worth."""
    lines = []
    for i, player in enumerate(piece.axes[0].labels):
        texts = [
            _field(piece, {name: int(parts[name][i, j]) for name in _FIELD_PIECES})
            for j in range(piece.shape[1])
        ]
        lines.append(f"  {player}: " + "; ".join(texts))
    return lines


def _field(piece: Piece, field: Mapping[str, int]) -> str:
    if not any(field.values()):
        return "empty"
    text = f"{piece.values[field['field_bean']]} x{field['field_count']}"
    text += f" ({field['field_coins']} coins now"
    if field["next_coins"] or field["next_missing"]:
        text += f", {field['next_coins']} with {field['next_missing']} more"
    if field["protected"]:
        text += ", protected"
    return text + ")"


def _words(piece: Piece, axes: tuple[Axis, ...], part: np.ndarray) -> str:
    """What a piece, or a slice of it, holds."""
    if not axes:
        return _number(piece, int(part))
    if piece.kind == "count" and len(axes) == 1 and axes[0].name == "player":
        return ", ".join(f"{label} {n}" for label, n in zip(axes[0].labels, part, strict=True))
    if not part.any():
        return "-"
    if len(axes) > 1:
        texts = (
            f"{label}: {_words(piece, axes[1:], row)}"
            for label, row in zip(axes[0].labels, part, strict=True)
            if row.any()
        )
        return "; ".join(texts)
    labels = axes[0].labels
    used = [i for i in range(len(labels)) if part[i]]
    if piece.kind == "flag":
        return ", ".join(labels[i] for i in used)
    listed = piece.kind == "category" and axes[0].name not in ("player", "bean")
    if listed and used == list(range(len(used))):  # without gaps, the order says all
        return ", ".join(_number(piece, int(part[i])) for i in used)
    return ", ".join(f"{labels[i]} {_number(piece, int(part[i]))}" for i in used)


def _number(piece: Piece, number: int) -> str:
    if piece.kind == "flag":
        return "yes" if number else "no"
    if piece.kind == "category":
        return piece.values[number]
    return str(number)
