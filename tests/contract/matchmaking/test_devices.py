"""Accounts on several devices: recovered, linked, signed out; through the real service."""

from __future__ import annotations

import asyncio
import re
from typing import Any

import pytest
from grpc import StatusCode

from services.matchmaking.people.model import LANGUAGES, PICTURES
from tests.contract.matchmaking.people import Device, device, linked, recovered, told
from tests.contract.matchmaking.world import SELF, World, agent, fresh_id, refused

MINUTE_MS = 60_000
DAY_MS = 24 * 60 * MINUTE_MS
SIGNED_OUT = (StatusCode.UNAUTHENTICATED, "TOKEN_INVALID")
NO_CODE = (StatusCode.NOT_FOUND, "CODE_NOT_FOUND")


async def recovery_code(of: Device) -> str:
    return str((await of.accounts("CreateRecoveryCode")).recovery_code)


async def link_code(of: Device) -> str:
    return str((await of.accounts("CreateLinkCode")).link_code)


async def test_a_phone_that_was_away_for_90_days_is_still_signed_in(world: World) -> None:
    anna = await device(world)
    for _ in range(3):
        world.clock.advance(90 * DAY_MS)
        await world.sweep()
        with refused(StatusCode.UNAUTHENTICATED, "TOKEN_EXPIRED"):
            await anna.accounts("GetProfile")
        anna = await anna.refreshed()
        await anna.accounts("GetProfile")


async def test_a_profile_is_chosen_and_shown(world: World) -> None:
    anna = await device(world, "Anna")
    before = await anna.accounts("GetProfile")
    assert before.profile.player == anna.player
    assert (before.profile.player.picture, before.profile.language) == ("", "")
    assert tuple(before.pictures) == PICTURES
    assert tuple(before.languages) == LANGUAGES == ("en", "de", "ko")

    await anna.accounts("UpdateProfile", picture="yeti", language="ko")
    after = await anna.accounts("UpdateProfile", display_name="  <b>Zoe\u0308</b> ")
    profile = (await anna.accounts("GetProfile")).profile
    assert profile == after.profile
    assert (profile.player.display_name, profile.player.picture, profile.language) == (
        "<b>Zoë</b>",
        "yeti",
        "ko",
    )
    cleared = await anna.accounts("UpdateProfile", picture="", language="")
    assert (cleared.profile.player.picture, cleared.profile.language) == ("", "")
    table = await anna.guest.open(SELF, agent())
    assert table.seats[0].display_name == "<b>Zoë</b>"


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("display_name", "x" * 25),
        ("display_name", "a\u202eb"),
        ("picture", "dragon"),
        ("picture", "YETI"),
        ("language", "fr"),
        ("language", "en-US"),
    ],
)
async def test_a_bad_part_of_a_profile_is_named_and_changes_nothing(
    world: World, field: str, value: str
) -> None:
    anna = await device(world, "Anna")
    before = await anna.accounts("GetProfile")
    others = {"display_name": "Eve", "picture": "yeti", "language": "de"}
    with refused(StatusCode.INVALID_ARGUMENT, "INVALID_FIELD", field=field):
        await anna.accounts("UpdateProfile", **(others | {field: value}))
    assert await anna.accounts("GetProfile") == before


async def test_a_recovery_code_gives_the_account_back_on_any_device(world: World) -> None:
    anna = await device(world, "Anna")
    assert not (await anna.accounts("GetProfile")).has_recovery_code
    code = await recovery_code(anna)
    assert re.fullmatch(r"([2-9CDFGHJKMNPQRTVWXY]{5}-){3}[2-9CDFGHJKMNPQRTVWXY]{5}", code)
    assert (await anna.accounts("GetProfile")).has_recovery_code
    for typed in (code, code.lower(), code.replace("-", " "), f"  {code.replace('-', '')} "):
        phone = await recovered(world, typed)
        assert phone.player == anna.player
        await phone.accounts("GetProfile")
        await (await phone.refreshed()).accounts("GetProfile")
    stored = await world.dump()
    assert code not in stored
    assert code.replace("-", "") not in stored


async def test_a_new_recovery_code_replaces_the_old_one(world: World) -> None:
    anna = await device(world)
    old, new = await recovery_code(anna), await recovery_code(anna)
    with refused(*NO_CODE):
        await recovered(world, old)
    assert (await recovered(world, new)).id == anna.id


@pytest.mark.parametrize("code", ["", "x" * 19, "2" * 21, "2" * 10_000, "!" * 20, "ü" * 20])
async def test_what_can_be_no_recovery_code_is_named(world: World, code: str) -> None:
    with refused(StatusCode.INVALID_ARGUMENT, "INVALID_FIELD", field="recovery_code"):
        await recovered(world, code)


async def test_codes_are_not_found_by_trying(world: World) -> None:
    anna = await device(world)
    right = await recovery_code(anna)
    wrongs = [recovered(world, f"2222222222222222222{last}") for last in "23456"]
    for wrong in (*wrongs, *(linked(world, f"2222222{last}") for last in "23456")):
        with refused(*NO_CODE):
            await wrong
    # Ten wrong ones, of either kind: now even the right one has to wait.
    for attempt in (recovered(world, right), linked(world, await link_code(anna))):
        with refused(StatusCode.RESOURCE_EXHAUSTED, "RATE_LIMITED", retry_after_ms="60000"):
            await attempt
    await anna.accounts("GetProfile")
    world.clock.advance(MINUTE_MS)
    assert (await recovered(world, right)).id == anna.id


async def test_another_device_is_linked_by_a_code_once(world: World) -> None:
    anna = await device(world, "Anna")
    answer = await anna.accounts("CreateLinkCode")
    assert answer.expires_at_ms == world.clock() + 10 * MINUTE_MS
    request_id = fresh_id()
    tablet = await linked(world, answer.link_code.lower(), request_id)
    assert tablet.player == anna.player
    await tablet.accounts("GetProfile")
    with refused(*NO_CODE):
        await linked(world, answer.link_code)
    # The first answer was lost: the same device asks again, even a little late.
    world.clock.advance(11 * MINUTE_MS)
    again = await linked(world, answer.link_code, request_id)
    assert again.id == anna.id
    assert answer.link_code not in await world.dump()
    await anna.refreshed()


async def test_a_link_code_ends_after_ten_minutes_or_with_the_next(world: World) -> None:
    anna = await device(world)
    late = await link_code(anna)
    world.clock.advance(10 * MINUTE_MS)
    with refused(*NO_CODE):
        await linked(world, late)
    first, second = await link_code(anna), await link_code(anna)
    with refused(*NO_CODE):
        await linked(world, first)
    assert (await linked(world, second)).id == anna.id


async def test_two_devices_that_use_one_link_code_at_once_do_not_both_get_in(world: World) -> None:
    anna = await device(world)
    code = await link_code(anna)
    answers = await asyncio.gather(*(linked(world, code) for _ in range(5)), return_exceptions=True)
    assert sum(isinstance(answer, Device) for answer in answers) == 1


async def test_signing_out_everywhere_ends_all_sessions_at_once(world: World) -> None:
    sign_in = fresh_id()
    anna = await device(world, "Anna", sign_in)
    again = await device(world, "Anna", sign_in)
    tablet = await linked(world, await link_code(anna))
    code, open_link = await recovery_code(anna), await link_code(anna)
    answer = await anna.accounts("SignOutEverywhere")
    for signed_out in (anna, again, tablet):
        with refused(*SIGNED_OUT):
            await signed_out.accounts("GetProfile")
        with refused(*SIGNED_OUT):
            await signed_out.guest.mine()
        with refused(*SIGNED_OUT):
            await signed_out.refreshed()
    with refused(*NO_CODE):
        await linked(world, open_link)
    # Who copied the request id of the sign-in gets a new account with it, not this one.
    assert (await device(world, "Anna", sign_in)).id != anna.id
    # Nor does the recovery code open it that somebody may have made before.
    with refused(*NO_CODE):
        await recovered(world, code)
    back = await recovered(world, answer.recovery_code)
    assert back.player == anna.player
    assert (await back.accounts("GetProfile")).has_recovery_code
    assert [(one.player_id, one.generation) for one in world.rules.players.ended] == [(anna.id, 1)]


async def test_the_device_that_signs_out_the_others_may_stay(world: World) -> None:
    anna = await device(world)
    tablet = await linked(world, await link_code(anna))
    await anna.accounts("SignOutEverywhere", keep_refresh_token=anna.tokens.refresh_token)
    # Its access token ended like all others, and its refresh token gets a new one: also when the
    # answer was lost.
    with refused(*SIGNED_OUT):
        await anna.accounts("GetProfile")
    with refused(*SIGNED_OUT):
        await tablet.refreshed()
    anna = await anna.refreshed()
    await anna.accounts("GetProfile")
    await anna.accounts("SignOutEverywhere", keep_refresh_token=anna.tokens.refresh_token)
    await (await anna.refreshed()).accounts("GetProfile")
    assert [one.generation for one in world.rules.players.ended] == [1, 2]


async def test_a_thief_who_made_every_code_before_is_out_for_good(world: World) -> None:
    anna = await device(world, "Anna")
    thief = await linked(world, await link_code(anna))
    stolen, link = await recovery_code(thief), await link_code(thief)
    answer = await anna.accounts("SignOutEverywhere", keep_refresh_token=anna.tokens.refresh_token)
    for attempt in (recovered(world, stolen), linked(world, link)):
        with refused(*NO_CODE):
            await attempt
    assert answer.recovery_code not in ("", stolen)
    assert (await recovered(world, answer.recovery_code)).player == anna.player
    assert answer.recovery_code not in await world.dump()


async def test_signing_out_makes_no_recovery_code_where_there_was_none(world: World) -> None:
    anna = await device(world)
    keep = anna.tokens.refresh_token
    assert (await anna.accounts("SignOutEverywhere", keep_refresh_token=keep)).recovery_code == ""
    assert not (await (await anna.refreshed()).accounts("GetProfile")).has_recovery_code


async def test_a_refresh_token_of_somebody_else_keeps_nobody(world: World) -> None:
    anna, ben = await device(world), await device(world)
    for token in (ben.tokens.refresh_token, "nonsense", anna.tokens.access_token):
        with refused(StatusCode.INVALID_ARGUMENT, "INVALID_FIELD", field="keep_refresh_token"):
            await anna.accounts("SignOutEverywhere", keep_refresh_token=token)
    await anna.accounts("GetProfile")


async def test_no_session_opened_at_the_same_moment_survives_a_sign_out(world: World) -> None:
    anna = await device(world)
    code = await recovery_code(anna)
    sign_out: Any = anna.accounts("SignOutEverywhere")
    *opened, signed_out = await asyncio.gather(
        *(recovered(world, code) for _ in range(4)), sign_out, return_exceptions=True
    )
    assert not isinstance(signed_out, BaseException)
    profile = await (await recovered(world, signed_out.recovery_code)).accounts("GetProfile")
    assert profile.profile.player == anna.player
    # Each was opened before, and has ended, or was too late.
    for one in opened:
        if isinstance(one, Device):
            for use in (one.accounts("GetProfile"), one.refreshed()):
                with refused(*SIGNED_OUT):
                    await use


async def test_rules_is_told_of_ended_sessions_when_it_comes_back(world: World) -> None:
    anna = await device(world)
    await world.to_rules.go()
    await anna.accounts("SignOutEverywhere", keep_refresh_token=anna.tokens.refresh_token)
    anna = await anna.refreshed()
    await anna.accounts("SignOutEverywhere", keep_refresh_token=anna.tokens.refresh_token)
    assert world.rules.players.ended == []
    await world.to_rules.come()
    await told(world, lambda: world.rules.players.ended)
    # Only the last word, once.
    assert [one.generation for one in world.rules.players.ended] == [2]
    await world.sweep()
    assert len(world.rules.players.ended) == 1
