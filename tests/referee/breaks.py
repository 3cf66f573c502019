"""What breaks the hand-written games: the game, the rule, a run of events, what comes instead."""

from __future__ import annotations

from typing import Any

# Game, rule, a run of events with "; " between, what comes instead ("": nothing).
_TEXT = """
staged R3: deal 2 red soy; deal 0 soy red => deal 0 soy red; deal 2 red soy
staged R3: deal 1 blue blue => deal 1 blue red
staged R3: turn 1 => deal 1 red; turn 1
staged R13: turn 2 => turn 0
staged R13: turn 2; plant 2 red 0 hand => plant 2 red 0 hand
staged R7: plant 2 red 0 hand => reveal soy soy
staged R7: plant 0 soy 0 hand; plant 0 red 1 hand => plant 0 red 1 hand; plant 0 soy 0 hand
staged R7: plant 2 red 0 hand => plant 1 red 0 hand
staged R7: plant 2 red 0 hand => plant 2 red 0 set_aside
compact R7: reveal red red => plant 0 red 1 hand; plant 0 blue 0 hand
staged R8: plant 1 soy 1 set_aside => plant 1 soy 0 set_aside
staged R8: plant 1 soy 1 set_aside => plant 1 soy 2 set_aside
staged R9: reveal red blue => reveal red
staged R9: reveal red blue => reveal red blue soy
staged R2: reveal red blue => reveal red soy
staged R9: reveal red blue; propose 1 - red / soy => propose 1 - red / soy
staged R9: trade 2 1 1:soy / => trade 2 1 / blue
staged R9: propose 0 1 soy / blue => propose 0 2 soy / red
staged R29: propose 0 1 soy / blue => propose 0 - soy / blue
staged R10: reveal soy soy => reveal soy soy; plant 2 soy 1 set_aside
staged R12: plant 1 soy 1 set_aside; plant 2 red 0 set_aside => \
plant 2 red 0 set_aside; plant 1 soy 1 set_aside
staged R12: plant 2 red 0 set_aside; draw 1 soy => draw 1 soy
staged R12: plant 2 red 0 set_aside => plant 2 blue 0 set_aside
staged R12: plant 2 red 0 set_aside => plant 2 red 0 hand
staged R13: draw 1 soy => draw 2 soy
staged R13: draw 1 soy => draw 1 soy soy
staged R13: draw 1 soy => draw 1
staged R2: draw 1 soy => draw 1 garden
staged R13: draw 1 soy; turn 2 => turn 2
staged R13: draw 1 soy; turn 2 => draw 1 soy; draw 1 soy; turn 2
field_beans R13: draw 0 field; draw 1 blue => draw 1 blue; draw 0 field
staged R1: harvest 1 1 soy 3 1 => harvest 1 1 soy 3 2
staged R1: harvest 2 1 blue 1 0 => harvest 2 1 blue 1 1
staged R15: harvest 1 1 soy 3 1 => harvest 1 1 soy 2 1
staged R15: harvest 1 1 soy 3 1 => harvest 1 1 red 3 1
staged R15: turn 1 => turn 1; harvest 1 0 blue 1 0
staged R15: harvest 1 1 soy 3 1 => harvest 1 2 soy 3 1
staged R16: harvest 1 0 blue 4 1 => harvest 1 1 soy 1 0
staged R14: turn 0 => turn 0; harvest 1 1 soy 3 1
staged R14: reveal soy soy => harvest 1 0 blue 3 0; reveal soy soy
staged R14: draw 1 soy => draw 1 soy; harvest 1 0 blue 3 0
staged R14: plant 1 soy 1 set_aside; plant 1 soy 1 set_aside => \
harvest 2 0 red 2 1; plant 1 soy 1 set_aside; plant 1 soy 1 set_aside
staged R14: choose 1 2 => harvest 1 0 blue 2 0; choose 1 2
staged R14: trade 0 2 / blue => harvest 0 0 soy 1 0; trade 0 2 / blue
staged R14: harvest 0 1 red 1 0 => harvest 2 0 red 2 1
staged R14: answer 2 accept; answer 0 accept => \
harvest 1 0 blue 2 0; answer 2 accept; answer 0 accept
staged R19: reveal blue; reshuffle 1 soy blue red blue soy soy blue red blue blue; reveal soy => \
reveal blue; reveal soy
staged R19: reshuffle 1 soy blue red blue soy soy blue red blue blue => \
reshuffle 1 soy blue red blue soy soy blue red blue garden
staged R19: reshuffle 1 soy blue red blue soy soy blue red blue blue => \
reshuffle 2 soy blue red blue soy soy blue red blue blue
staged R19: end_trading 0; plant 0 garden 1 set_aside => reshuffle 0 soy soy; end_trading 0
staged R9: reveal blue; reshuffle 1 soy blue red blue soy soy blue red blue blue => \
reveal blue soy; reshuffle 1 soy blue red blue soy soy blue red blue blue
dry R20: reshuffle 1 garden => reshuffle 2 garden
dry R20: reshuffle 1 garden => reshuffle 1 red
dry R20: reshuffle 1 garden; reveal garden => reveal
dry R19: draw 0 blue blue => draw 0 blue blue; reshuffle 1
dry R13: harvest 0 0 blue 1 0 => draw 1; harvest 0 0 blue 1 0
dry R19: end 0 0 0 / 2 / 2 => end 0 0 0 / 2 / 1
empty R20: reveal; end_trading 1 => end_trading 1
empty R20: reveal; end_trading 1 => reveal blue; end_trading 1
empty R29: reveal; end_trading 1 => reveal
empty R29: end_trading 0 => propose 0 1 garden /; answer 1 reject; end_trading 0
empty R22: end 2 0 0 / 0 / 1 => draw 1; end 2 0 0 / 0 / 1
staged R22: harvest 0 0 soy 2 1 => draw 0; harvest 0 0 soy 2 1
staged R22: harvest 1 0 red 2 1; harvest 1 1 soy 2 1 => harvest 1 1 soy 2 1; harvest 1 0 red 2 1
staged R22: harvest 2 1 blue 1 0; end 4 2 3 / 0 / 2 => end 4 2 3 / 0 / 2
staged R22: harvest 0 0 soy 2 1 => turn 1; harvest 0 0 soy 2 1
staged R22: end 4 2 3 / 0 / 2 => end 4 2 2 / 0 / 2
staged R22: end 4 2 3 / 0 / 2 => end 4 2 3 / 0 / 2; turn 1
staged R22: turn 2 => end 0 0 0 / 0 / 0
staged R23: end 4 2 3 / 0 / 2 => end 4 2 3 / 2 / 2
staged R23: end 4 2 3 / 0 / 2 => end 4 2 3 / / 2
staged R19: end 4 2 3 / 0 / 2 => end 4 2 3 / 0 / 1
field_beans R23: end 0 0 0 / 2 / 1 => end 0 0 0 / 0 1 2 / 1
field_beans R23: end 0 0 0 / 2 / 1 => end 0 0 0 / 0 / 1
staged R24: buy 1 blue soy => buy 1 blue soy; buy 1 blue soy
staged R24: reveal soy soy => reveal soy soy; buy 2 red red
staged R24: draw 2 garden => draw 2 garden; buy 1 blue soy
staged R25: buy 1 blue soy => buy 1 soy blue
staged R25: buy 1 blue soy => buy 1 blue
compact R24: end_trading 0 => buy 0 red; end_trading 0
field_beans R27: harvest 0 0 field 2 0 gains => harvest 0 0 field 2 0
field_beans R1: harvest 0 0 field 2 0 gains => harvest 0 0 field 2 1 gains
field_beans R27: harvest 0 0 blue 1 0 => harvest 0 0 blue 1 0 gains
field_beans R27: plant 0 field 0 hand; plant 0 field 0 hand => \
plant 0 field 0 hand; harvest 0 0 field 1 0 gains
field_beans R8: harvest 0 0 field 2 0 gains; end_trading 0; plant 0 blue 0 set_aside => \
harvest 0 0 field 2 0 gains; end_trading 0; plant 0 blue 3 set_aside
duel R28: take 0 red; plant 0 blue 0 face_up => plant 0 blue 0 face_up
duel R28: take 0 red => take 0 blue
duel R28: take 0 red => take 0 red; take 0 blue
duel R28: offer 0 red red => offer 0 red
duel R28: offer 0 red red; draw 0 blue blue => draw 0 blue blue
duel R28: offer 0 red red => offer 1 red red
duel R28: discard 0 red hand 0 => discard 0 red hand 1
duel R28: discard 0 red hand 0 => discard 0 blue hand 0
duel R28: discard 0 red hand 0 => discard 0 red hand 0; discard 0 red hand 0
duel R28: plant 0 blue 0 hand; discard 0 red hand 0 => discard 0 red hand 0; plant 0 blue 0 hand
duel R28: discard 1 red offer; plant 1 red 0 offer => discard 1 red offer
duel R28: discard 1 red offer => discard 1 soy offer
duel R28: discard 1 red offer => discard 1 red hand 0
duel R28: plant 1 red 0 offer => plant 1 red 0 face_up
duel R28: turn 1 => turn 1; harvest 0 0 blue 3 0
duel R28: reveal soy soy blue => reveal soy soy blue; harvest 0 0 blue 3 0
duel R29: offer 0 red red => end_trading 0
duel R22: harvest 0 0 blue 6 2 => draw 0; harvest 0 0 blue 6 2
duel R25: buy 1 soy => buy 1 red
staged R28: end_trading 0 => discard 0 blue hand 0
staged R28: end_trading 0 => take 0 soy
staged R29: end_trading 2 => end_trading 1
staged R10: end_trading 2; plant 1 soy 1 set_aside => plant 1 soy 1 set_aside
staged R29: reveal red blue; end_trading 1 => reveal red blue; withdraw 0; withdraw 2; end_trading 1
staged R29: reveal red blue; end_trading 1 => \
reveal red blue; withdraw 0; harvest 2 0 red 2 1; end_trading 1
staged R29: reveal red blue; end_trading 1 => reveal red blue; answer 0 reject; end_trading 1
staged R30: propose 0 1 soy / blue => propose 0 1 garden / blue
staged R30: propose 0 1 soy / blue => propose 0 1 soy soy / blue
staged R30: propose 2 1 / blue => propose 2 1 / blue blue
staged R30: propose 0 1 soy / blue => propose 0 1 soy / cocoa
staged R30: propose 0 1 soy / blue => propose 0 1 /
staged R30: propose 0 1 soy / blue => propose 0 0 soy / blue
staged R30: propose 1 - red / soy => propose 1 - red / soy soy red
staged R30: withdraw 1 => propose 1 2 blue / red; answer 2 reject
staged R30: withdraw 1 => withdraw 1; propose 1 2 blue / red; answer 2 reject
staged R30: propose 2 1 / blue; answer 1 reject => withdraw 0
staged R31: propose 0 1 soy / blue; answer 1 reject => propose 0 1 soy / garden; answer 1 accept
staged R31: answer 1 accept => answer 0 accept
staged R31: answer 2 accept; answer 0 accept => answer 0 accept; answer 2 accept
staged R31: answer 2 accept; answer 0 accept => answer 2 accept
staged R31: answer 2 accept; answer 0 accept => answer 2 accept; answer 0 counter
staged R31: choose 1 2 => choose 1 1
staged R31: choose 1 2 => choose 2 2
staged R31: choose 1 2; trade 1 2 / red => trade 1 2 / red
staged R31: answer 0 accept; choose 1 2 => answer 0 reject; choose 1 2
staged R31: propose 2 1 / blue; answer 1 reject => propose 2 1 / blue; answer 1 counter
staged R31: propose 2 1 / blue; answer 1 reject => end_trading 1
staged R31: answer 0 reject; propose 2 0 garden / blue => propose 2 0 garden / blue
staged R32: trade 1 2 / red; trade 2 1 1:soy / => trade 2 1 1:soy /; trade 1 2 / red
staged R32: trade 2 1 1:soy / => trade 2 1 0:soy /
staged R32: trade 2 1 1:soy / => trade 2 1 0:red /
staged R32: trade 2 1 1:soy / => trade 2 1 1:soy 1:soy /
staged R32: trade 2 1 1:soy / => trade 2 1 0:red 1:soy /
staged R32: trade 2 1 1:soy / => trade 2 0 1:soy /
staged R32: trade 1 2 / red => trade 1 2 / blue
staged R2: trade 1 2 / red => trade 1 2 / garden
staged R32: trade 1 2 / red; trade 2 1 1:soy / => trade 1 2 / red
staged R32: propose 0 1 soy / blue; answer 1 reject => \
propose 0 1 soy red / blue; answer 1 accept; trade 0 1 1:red 0:soy /; trade 1 0 / blue
staged R32: trade 2 1 / soy soy => trade 2 1 / soy
staged R33: propose 0 1 soy / blue; answer 1 reject => \
propose 0 1 soy / blue; answer 1 reject; withdraw 0
staged R33: propose 0 1 soy / blue; answer 1 reject => \
propose 0 1 soy / blue; answer 1 reject; withdraw 1; withdraw 1
staged R34: harvest 2 1 blue 1 0; harvest 0 1 garden 2 2 => \
harvest 0 1 garden 2 2; harvest 2 1 blue 1 0
staged R34: draw 1 soy => harvest 1 0 blue 3 0; draw 1 soy
staged R34: draw 2 red => harvest 2 0 soy 2 1; draw 2 red
staged R24: draw 1 soy => buy 1 blue soy; draw 1 soy
compact R35: trade 0 1 / red => trade 0 1 0:red /
compact R35: propose 0 1 red / => withdraw 0; propose 0 1 red /
compact R35: propose 0 2 blue / red => propose 0 2 blue / blue
compact R35: propose 0 1 red / => propose 0 1 red red /
compact R35: propose 0 1 red / => propose 0 - red /
compact R35: answer 1 accept => answer 1 counter
"""


def _read(text: str) -> list[tuple[str, str, str, str]]:
    rows = []
    for line in text.strip().replace("\\\n", "").splitlines():
        head, _, change = line.partition(": ")
        name, rule = head.split()
        old, _, new = change.partition(" => ")
        rows.append((name, rule, old.strip(), new.strip()))
    return rows


BREAKS = _read(_TEXT)

# Game, rule, what the header says instead.
TERMS: list[tuple[str, str, dict[str, Any]]] = [
    ("staged", "R2", {"deck": ["blue"]}),
    ("staged", "R2", {"beans": {"blue": 99}}),
    ("staged", "R3", {"start": 0}),
    ("staged", "R4", {"start": 3}),
    ("staged", "R3", {"first_hands": [2, 2]}),
    ("staged", "R3", {"first_hands": [2, 1, 3]}),
    ("staged", "R4", {"first_hands": [9, 9, 9]}),
    ("staged", "R8", {"fields": 1}),
    ("staged", "R9", {"reveal": 3}),
    ("staged", "R13", {"draw": ["active", 2]}),
    ("staged", "R13", {"draw": ["everyone", 1]}),
    ("staged", "R34", {"final_exhaustion": 1}),
    ("dry", "R22", {"final_exhaustion": 1}),
    ("staged", "R19", {"final_exhaustion": 3}),
    ("staged", "R19", {"coins_leave_game": True}),
    ("staged", "R24", {"field_price": 0}),
    ("staged", "R24", {"field_price": 3}),
    ("staged", "R25", {"field_price": 1}),
    ("field_beans", "R27", {"field_beans": False}),
    ("field_beans", "R23", {"tie": "most_hand_cards"}),
    ("staged", "R28", {"duel": True}),
    ("staged", "R29", {"trading": False}),
    ("staged", "R33", {"active_proposals": 2}),
    ("staged", "R33", {"active_proposals": 0, "other_proposals": 0}),
    ("staged", "R33", {"other_proposals": 0}),
    ("staged", "R33", {"trade_limit": 1}),
    ("staged", "R34", {"window": "off"}),
    ("staged", "R35", {"protocol": "compact"}),
    ("staged", "R36", {"harvest": "when_needed"}),
    ("dry", "R36", {"harvest": "when_needed"}),
]

# Game, changed rules, a run of events, what comes instead.
STILL_CLEAN: list[tuple[str, dict[str, Any], str, str]] = [
    ("field_beans", {"tie": "most_hand_cards"}, "end 0 0 0 / 2 / 1", "end 0 0 0 / 1 2 / 1"),
    ("staged", {}, "reveal soy soy", "reveal soy soy; withdraw 0; withdraw 2"),
    ("staged", {}, "reveal soy soy", "reveal soy soy; withdraw 0; withdraw 1"),
    ("staged", {}, "withdraw 1", "withdraw 1; withdraw 2"),
    ("staged", {"window": "always"}, "draw 1 soy", "draw 1 soy"),
    ("compact", {"harvest": "when_needed"}, "turn 1", "turn 1"),
    ("duel", {"window": "off", "active_proposals": 0}, "turn 0", "turn 0"),
]
