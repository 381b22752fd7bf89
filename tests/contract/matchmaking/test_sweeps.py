"""What the service does every second or two writes nothing while there is nothing to do."""

from __future__ import annotations

from oddsocks.rules.v1 import calls_internal_service_pb2 as calls_pb
from tests.contract.matchmaking.finders import finder
from tests.contract.matchmaking.people import told
from tests.contract.matchmaking.test_push import register
from tests.contract.matchmaking.world import OPEN, SELF, World, agent

HOUR_S = 3_600


async def wanted(world: World) -> set[str]:
    """The names of what would be done now."""
    often = [sweep for sweep in world.service.sweeps if sweep.every_s < HOUR_S]
    assert len(often) == 6
    assert all(sweep.wanted is not None for sweep in often)
    return {sweep.lease.name for sweep in often if sweep.wanted and await sweep.wanted()}


async def test_no_lease_is_taken_while_there_is_nothing_to_do(world: World) -> None:
    anna, ben = await finder(world, "anna"), await finder(world, "ben")
    await register(ben)
    table = await anna.guest.open(SELF, OPEN)
    assert await wanted(world) == set()
    match_id = (await ben.guest.join(table.invitation_code)).match_id
    call = calls_pb.Call(match_id=match_id, player_id=ben.id, kind=calls_pb.CALL_KIND_TURN)
    world.rules.calls.append(call)
    assert await wanted(world) == {"push"}
    world.rules.end(match_id, in_feed=True)
    await anna.open_ticket()
    assert await wanted(world) == {"push", "finished matches", "pair"}
    await world.sweep()
    assert await wanted(world) == {"pair"}, "the ticket waits"
    await anna.befriend(ben)
    table = await anna.guest.open(SELF, OPEN)
    await anna.lobby("InviteFriend", table_id=table.table_id, player_id=ben.id)
    assert await wanted(world) == {"pair", "push"}
    await world.to_rules.go()
    await ben.guest.open(SELF, agent())
    await anna.device.accounts("DeleteAccount")
    world.clock.advance(1)
    assert await wanted_while_rules_is_away(world) == {"push", "start tables", "news for rules"}
    await world.to_rules.come()
    await told(world, lambda: world.rules.players.forgotten)
    await world.patient(world.sweep)
    assert await wanted(world) == set()


async def wanted_while_rules_is_away(world: World) -> set[str]:
    away = {"finished matches"}  # asks nobody but rules
    often = [sweep for sweep in world.service.sweeps if sweep.every_s < HOUR_S]
    return {
        sweep.lease.name
        for sweep in often
        if sweep.lease.name not in away and sweep.wanted and await sweep.wanted()
    }
