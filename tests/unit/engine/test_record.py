"""A record holds if it can have happened so; else the first fault is named."""

from __future__ import annotations

import copy
import hashlib
import json
from typing import Any

import pytest

from services.engine.core import InvalidOption, UnknownGame
from services.engine.core.record import FORMAT, UnreadableRecord, read_record, verify
from services.engine.core.registry import AnyRuleset, game_names, ruleset
from tests.fixtures.records import record

MATCHES = [
    ("socker", 2, ()),
    ("sock_monsters", 2, ("00ff" * 8,)),
    ("sock_monsters", 4, ("", "ab" * 16, "", "cd" * 16)),
    ("hide_and_seek", 3, ("01" * 16, "02" * 16)),
]
KINDS = {
    "toss": "toss",
    "deal": "shuffle",
    "first": "toss",
    "draw": "draw",
    "roll": "die",
    "eye": "die",
}
"""By the words of docs/notation, for a reader."""


@pytest.mark.parametrize(("game", "seats", "nonces"), MATCHES)
def test_a_match_that_was_played_holds(game: str, seats: int, nonces: tuple[str, ...]) -> None:
    document = record(game, seats, *nonces)
    assert verify(document) is None
    assert verify(read_record(json.dumps(document))) is None
    assert verify(document, hashlib.sha256(bytes(range(32))).digest()) is None


def changed(document: dict[str, Any], place: int, **parts: object) -> dict[str, Any]:
    """The record with one event told otherwise."""
    other = copy.deepcopy(document)
    other["history"][place].update(parts)
    return other


@pytest.mark.parametrize(("game", "seats", "nonces"), MATCHES)
def test_chance_that_was_changed_is_found_where_it_was(
    game: str, seats: int, nonces: tuple[str, ...]
) -> None:
    document, rules = record(game, seats, *nonces), ruleset(game)
    state = rules.initial(document["options"], seats)
    states, tried = [state], set()
    for event in document["history"]:
        revision, text = event["revision"], event.get("action", "")
        word = text.partition(":")[0]
        outcomes = [rules.format_action(o.action) for o in rules.chance_outcomes(states[-1])]
        if event["actor"] == -1 and len(outcomes) > 1 and (word not in tried or revision % 9 == 0):
            tried.add(word)
            other = next(outcome for outcome in outcomes if outcome != text)
            for parts in ({"action": other}, {"draw": event["draw"] + 1}):
                fault = verify(changed(document, revision, **parts))
                assert fault is not None
                assert (fault.ply, fault.kind) == (revision, KINDS[word]), fault
        if event["kind"] == "undo":
            states.append(states[event["to_revision"]])
        else:
            states.append(rules.apply(states[-1], rules.parse_action(text)))
    assert tried


@pytest.mark.parametrize(("game", "seats", "nonces"), MATCHES)
def test_what_an_agent_was_told_is_what_its_seat_knew(
    game: str, seats: int, nonces: tuple[str, ...]
) -> None:
    """Told anything else, such as what another seat knows, it is found where that was."""
    document, rules = record(game, seats, *nonces), ruleset(game)
    states, told = [rules.initial(document["options"], seats)], copy.deepcopy(document)
    lies: dict[int, str] = {}
    for event in document["history"]:
        revision, state, actor = event["revision"], states[-1], event["actor"]
        if event["kind"] == "undo":
            states.append(states[event["to_revision"]])
            continue
        if actor >= 0:
            told["history"][revision]["information_sha256"] = known(rules, state, actor)
            lies[revision] = known(rules, state, (actor + 1) % seats)
        states.append(rules.apply(state, rules.parse_action(event["action"])))
    assert verify(told) is None
    wrong = [r for r, lie in lies.items() if lie != told["history"][r]["information_sha256"]]
    assert bool(wrong) == (game == "sock_monsters"), "the others' seats all know the same"
    places = wrong or list(lies)
    for place in (places[0], places[-1]):
        lie = lies[place] if wrong else known(rules, states[0], 0)
        fault = verify(changed(told, place, information_sha256=lie))
        assert fault is not None
        assert (fault.ply, fault.kind) == (place, "knowledge")


def known(rules: AnyRuleset, state: Any, seat: int) -> str:
    """The hash of what a seat knows."""
    text = rules.format_information(rules.information(state, seat))
    return hashlib.sha256(text.encode()).hexdigest()


def test_another_seed_nonce_or_match_is_found() -> None:
    document = record("sock_monsters", 2, "aa" * 16)
    wrong = copy.deepcopy(document)
    wrong["draws"]["seed"] = "11" * 32
    fault = verify(wrong)
    assert fault is not None
    assert (fault.ply, fault.kind) == (0, "seed")
    wrong["draws"]["seed_sha256"] = hashlib.sha256(b"\x11" * 32).hexdigest()
    for other in (
        wrong,
        document | {"match_id": "f" * 32},
        document | {"seats": [{"nonce": "ab" * 16}, {"nonce": ""}]},
    ):
        fault = verify(other)
        assert fault is not None
        assert fault.kind == "shuffle"
    fault = verify(document, b"\x11" * 32)
    assert fault is not None
    assert (fault.ply, fault.kind) == (0, "seed")


def test_what_seats_can_not_have_done_is_found() -> None:
    document = record("socker", 2, plies=40)
    last = len(document["history"]) - 1
    assert document["outcome"]["reason"] == "resigned"
    assert verify(document) is None
    undo = next(e["revision"] for e in document["history"] if e["kind"] == "undo")
    move = undo + 5
    wrongs = {
        ("action", move): {"action": "a1-i11"},
        ("action", move + 1): {"action": "nonsense"},
        ("action", move + 2): {"actor": 1 - document["history"][move + 2]["actor"]},
        ("control", undo): {"to_revision": undo},
        ("control", move + 3): {"kind": "magic"},
        ("control", move + 4): {"revision": 3},
        ("outcome", last + 1): {"actor": 1},
    }
    for (kind, ply), parts in wrongs.items():
        fault = verify(changed(document, min(ply, last), **parts))
        assert fault is not None
        assert (fault.kind, fault.ply) == (kind, ply), fault
    longer = copy.deepcopy(document)
    longer["history"].append({**document["history"][last], "revision": last + 1})
    fault = verify(longer)
    assert fault is not None
    assert (fault.kind, fault.ply) == ("control", last + 1)
    fault = verify(document | {"outcome": {"reason": "goals", "winners": [0], "scores": [9, 0]}})
    assert fault is not None
    assert fault.kind == "outcome"


@pytest.mark.parametrize(
    ("kind", "reason", "winners"),
    [("end", "agreed", []), ("abandon", "abandoned", []), ("forfeit", "forfeit", [1])],
)
def test_ends_beside_the_game_hold(kind: str, reason: str, winners: list[int]) -> None:
    document = record("socker", 2, plies=20)
    document = changed(document, len(document["history"]) - 1, kind=kind)
    document["outcome"] |= {"reason": reason, "winners": winners}
    assert verify(document) is None


@pytest.mark.parametrize("text", ["", "{", "[]", "null", "1", "{}", '{"format": "oddsocks/9"}'])
def test_what_is_no_record_is_refused(text: str) -> None:
    with pytest.raises(UnreadableRecord):
        read_record(text)


def test_a_record_that_lacks_a_part_is_refused_whatever_it_is() -> None:
    document = record("hide_and_seek", 2, plies=60)
    assert document["format"] == FORMAT
    for part in sorted(set(document) - {"format"}):
        others: tuple[Any, ...] = (None, 7, [], {}, "x")
        for value in others:
            wrong = {**document, part: value}
            try:
                fault = verify(wrong)
            except (UnreadableRecord, UnknownGame, InvalidOption):
                continue
            assert fault is not None or wrong == document or part == "match_id", (part, value)
        less = {name: value for name, value in document.items() if name != part}
        with pytest.raises(UnreadableRecord):
            verify(less)


def test_another_version_of_the_rules_is_named() -> None:
    document = record("socker", 2, plies=20)
    with pytest.raises(UnreadableRecord, match="has socker/7"):
        verify(document | {"ruleset_version": 7})


@pytest.mark.parametrize("game", game_names())
def test_every_word_of_chance_has_its_kind(game: str) -> None:
    for event in record(game, 2)["history"]:
        if event["actor"] == -1:
            assert event["action"].partition(":")[0] in KINDS
