"""One exchange: composing a proposal, the answers, the choice among several that accept."""

from .cards import TABLE_ORDER
from .copies import continue_giving
from .floor import return_floor
from .knowledge import learn_holding
from .proposals import cards_to_give, is_repeated, new_draft, request_bound, submit
from .state import GameState


def from_last_onwards(chosen: dict[str, int], beans: dict[str, int]) -> list[str]:
    """R30: the beans of the edition in table order, none before one already chosen."""
    first = max((TABLE_ORDER.index(bean) for bean in chosen), default=0)
    return [bean for bean in TABLE_ORDER[first:] if bean in beans]


def side_is_full(game: GameState, side: dict[str, int]) -> bool:
    """R33: `trade_limit` caps the cards of a side."""
    limit = game.rules["trade_limit"]
    return limit is not None and sum(side.values()) >= limit


def compose_actions(game: GameState) -> list[str]:
    """R30: one deal has one spelling; offers first, then requests, each in table order."""
    draft = game.draft
    offer, request = draft["offer"], draft["request"]
    actions = []
    if not request and not side_is_full(game, offer):
        held = cards_to_give(game, draft["proposer"])
        actions += [
            f"offer {bean}"
            for bean in from_last_onwards(offer, game.rules["beans"])
            if offer.get(bean, 0) < held[bean]
        ]
    bound = request_bound(game, draft["proposer"], draft["recipient"])
    if sum(request.values()) < bound and not side_is_full(game, request):
        actions += [
            f"request {bean}"
            for bean in from_last_onwards(request, game.rules["beans"])
            if request.get(bean, 0) < game.rules["beans"][bean]
        ]
    if (offer or request) and not is_repeated(game, draft):
        actions.append("submit")
    return [*actions, "withdraw"]


def apply_compose(game: GameState, words: list[str]) -> None:
    """R30: carry out a step of composing."""
    draft = game.draft
    if words[0] == "submit":
        submit(game)
    elif words[0] == "withdraw":
        game.draft = None
        game.record("withdraw", player=draft["proposer"])
        return_floor(game)
    else:
        side = draft[words[0]]
        side[words[1]] = side.get(words[1], 0) + 1


def respond_actions(game: GameState) -> list[str]:
    """R31: the answers open to a recipient; R35: the compact protocol has no counters."""
    proposal = game.standing
    held = cards_to_give(game, game.to_act)
    actions = []
    if all(held[bean] >= number for bean, number in proposal["request"].items()):
        actions.append("accept")
    actions.append("reject")
    direct = proposal["recipient"] is not None
    staged = game.rules["protocol"] == "staged"
    if direct and staged and proposal["counters"] is None:
        actions.append("counter")
    return actions


def apply_respond(game: GameState, words: list[str]) -> None:
    """R31: note an answer; the answers of a table proposal become public together."""
    proposal = game.standing
    seat = game.to_act
    proposal["answers"].append([seat, words[0]])
    asked = game.others_clockwise() if proposal["recipient"] is None else [proposal["recipient"]]
    if len(proposal["answers"]) < len(asked):
        game.ask("respond", asked[len(proposal["answers"])])
        return
    for other, answer in proposal["answers"]:
        game.record("answer", player=other, answer=answer)
    accepting = [other for other, answer in proposal["answers"] if answer == "accept"]
    for other in accepting:
        learn_holding(game, other, proposal["request"])
    if len(accepting) > 1:
        game.ask("choose", proposal["proposer"])
    elif accepting:
        begin_giving(game, accepting[0])
    else:
        game.settled.append(proposal)
        game.standing = None
        if words[0] == "counter":
            game.draft = new_draft(seat, proposal["proposer"], len(game.settled) - 1)
            game.ask("compose", seat)
        else:
            return_floor(game)


def choose_actions(game: GameState) -> list[str]:
    """R31: the proposer chooses among those that accept."""
    answers = sorted(game.standing["answers"])
    return [f"choose {seat}" for seat, answer in answers if answer == "accept"]


def apply_choose(game: GameState, words: list[str]) -> None:
    """R31: one of several is chosen."""
    game.record("choose", player=game.to_act, chosen=int(words[1]))
    begin_giving(game, int(words[1]))


def begin_giving(game: GameState, taker: int) -> None:
    """R32: after acceptance each side gives its copies."""
    game.giving = {
        "taker": taker,
        "chosen": [{"hand": [], "face_up": []}, {"hand": [], "face_up": []}],
    }
    go_on_giving(game)


def apply_give(game: GameState, words: list[str]) -> None:
    """R32: note the copy chosen."""
    side = 0 if game.to_act == game.standing["proposer"] else 1
    game.giving["chosen"][side][words[1]].append(int(words[2]))
    go_on_giving(game)


def go_on_giving(game: GameState) -> None:
    """R32: when all cards have moved the exchange is settled."""
    if continue_giving(game):
        game.settled.append(game.standing)
        game.standing = None
        game.giving = None
        return_floor(game)
