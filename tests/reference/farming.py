"""Fields: planting, harvesting, buying."""

from .cards import in_table_order, payout
from .state import GameState, Player

PLANTING_DECISIONS = ("plant", "plant_set_aside", "offer_in", "faceup")


def fitting_fields(player: Player, bean: str) -> list[int]:
    """R8: any own field that is empty or holds the same bean."""
    return [
        place
        for place, planted in enumerate(player.fields)
        if planted is None or planted["bean"] == bean
    ]


def plant_actions(player: Player, beans: list[str]) -> list[str]:
    """R8: every way to plant one of `beans`."""
    return [
        f"plant {bean} {place}"
        for bean in in_table_order(set(beans))
        for place in fitting_fields(player, bean)
    ]


def plant(game: GameState, seat: int, bean: str, place: int, source: str) -> None:
    """Put one card, already taken from `source`, into a field."""
    player = game.players[seat]
    planted = player.fields[place]
    if planted is None:
        player.fields[place] = {"bean": bean, "count": 1}
    else:
        planted["count"] += 1
    game.planted += 1
    game.record("plant", player=seat, bean=bean, field=place, **{"from": source})


def unprotected_fields(player: Player) -> list[int]:
    """R16: a single card is protected while another own field holds two or more."""
    several = any(planted is not None and planted["count"] >= 2 for planted in player.fields)
    return [
        place
        for place, planted in enumerate(player.fields)
        if planted is not None and (planted["count"] >= 2 or not several)
    ]


def plantable_beans(game: GameState, decision: str, seat: int) -> list[str]:
    """The cards that may be planted in a planting decision."""
    if decision == "plant":
        return game.players[seat].hand[:1]
    if decision == "plant_set_aside":
        return game.players[seat].set_aside
    if decision == "offer_in":
        return game.offer
    return game.face_up


def harvestable_fields(game: GameState, decision: str, seat: int) -> list[int]:
    """R14, R16, R36: the fields that `seat` may harvest at a decision of that kind."""
    player = game.players[seat]
    if game.rules["harvest"] == "when_needed":
        if decision not in PLANTING_DECISIONS:
            return []
        beans = plantable_beans(game, decision, seat)
        if any(fitting_fields(player, bean) for bean in beans):
            return []
    return unprotected_fields(player)


def harvest(game: GameState, seat: int, place: int, at_the_end: bool = False) -> None:
    """R2, R15: the whole field is sold; R27: two field beans may give a field instead."""
    player = game.players[seat]
    bean, count = player.fields[place]["bean"], player.fields[place]["count"]
    coins = payout(bean, count)
    player.fields[place] = None
    player.coins.extend([bean] * coins)
    game.discard.extend([bean] * (count - coins))
    details = {"player": seat, "field": place, "bean": bean, "count": count, "coins": coins}
    gains_field = (
        game.rules["field_beans"]
        and bean == "field"
        and count == 2
        and len(player.fields) == 2
        and player.fields_gained == 0
        and not at_the_end
    )
    if gains_field:
        player.fields.append(None)
        player.fields_gained += 1
        details["field_gained"] = True
    game.record("harvest", **details)


def may_buy_field(game: GameState, seat: int) -> bool:
    """R24: where fields are sold, once a player and game, for coins of the own stack."""
    player = game.players[seat]
    price = game.rules["field_price"]
    return bool(price) and player.fields_gained == 0 and len(player.coins) >= price


def buy_field(game: GameState, seat: int) -> None:
    """R25: the top coins go to the discard pile, the top one first; R26: or out of the game."""
    player = game.players[seat]
    paid = [player.coins.pop() for _ in range(game.rules["field_price"])]
    if game.rules["coins_leave_game"]:
        game.removed.extend(paid)
    else:
        game.discard.extend(paid)
    player.fields.append(None)
    player.fields_gained += 1
    game.record("buy_field", player=seat, paid=paid)


def farming_actions(game: GameState, decision: str, seat: int) -> list[str]:
    """Section 8: the harvests and the purchase that are added to most decisions."""
    actions = [f"harvest {place}" for place in harvestable_fields(game, decision, seat)]
    if may_buy_field(game, seat):
        actions.append("buy_field")
    return actions
