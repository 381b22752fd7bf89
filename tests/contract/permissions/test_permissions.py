"""Every row of the permission table, from outside: callers of all sorts are let in or told why."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Sequence
from pathlib import Path

import pytest
import pytest_asyncio

from services.common.auth import KeyRing
from tests.contract.permissions.rows import INVALID, MISSING, Anybody, Players, Row, Services
from tests.contract.permissions.scene import Scene, Site, close, make_scene, methods
from tests.contract.permissions.table import ROWS
from tests.fixtures.stack import running_stack

pytestmark = pytest.mark.asyncio(loop_scope="module")

LIST_AGENTS = "ai.v1.AiService/ListAgents"
"""It tells nothing of any player, and the ai service is not told of ended sessions: a token is good
there until its time is up. Advice is about matches: there rules is asked, which is told."""


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def site(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Site]:
    directory: Path = tmp_path_factory.mktemp("permissions")
    async with running_stack(directory) as stack:
        site = Site(stack)
        yield site
        await close(site)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def scene(site: Site) -> Scene:
    """For calls that are refused, or only look: they change nothing."""
    return await make_scene(site)


def _named(rows: Iterator[Row]) -> Sequence[object]:
    found: dict[str, int] = {}
    named = []
    for row in rows:
        found[row.method] = times = found.get(row.method, 0) + 1
        name = row.method.replace("/", ".") + (f"-{times}" if times > 1 else "")
        named.append(pytest.param(row, id=name))
    return named


OPEN = _named(row for row in ROWS if isinstance(row, Anybody))
PLAYERS = _named(row for row in ROWS if isinstance(row, Players))
SERVICES = _named(row for row in ROWS if isinstance(row, Services))
PUBLIC = [*OPEN, *PLAYERS]


def _with(caller: str) -> Sequence[object]:
    rows = (row for row in ROWS if isinstance(row, Players))
    return _named(row for row in rows if getattr(row, caller) is not None)


async def test_every_rpc_has_a_row_and_every_row_an_rpc() -> None:
    assert {row.method for row in ROWS} == set(methods())


async def test_a_service_is_internal_exactly_if_its_name_says_so() -> None:
    for row in ROWS:
        service = row.method.partition("/")[0]
        assert service.endswith("InternalService") == isinstance(row, Services), row.method


async def _scene_for(site: Site, shared: Scene, row: Row, expected: str) -> Scene:
    """A scene of its own for a call that changes something."""
    reads = row.method.partition("/")[2].startswith(("Get", "List", "Watch", "Export"))
    return shared if expected or reads else await make_scene(site)


# --- who may ------------------------------------------------------------------------------------


@pytest.mark.parametrize("row", OPEN)
async def test_anybody_may_without_a_token_or_with_one_that_has_ended(
    site: Site, row: Anybody
) -> None:
    for ended in (False, True):
        scene = await make_scene(site)
        token = site.signed(scene.holder.player_id, ended=True) if ended else None
        assert await site.reason(row.method, row.ask(scene), token) == ""


@pytest.mark.parametrize("row", PLAYERS)
async def test_the_rightful_caller_may(site: Site, scene: Scene, row: Players) -> None:
    scene = await _scene_for(site, scene, row, row.right)
    reason = await site.reason(row.method, row.ask(scene), scene.holder.token)
    assert reason == row.right


@pytest.mark.parametrize("row", SERVICES)
async def test_the_rightful_service_may(site: Site, scene: Scene, row: Services) -> None:
    scene = await _scene_for(site, scene, row, row.right)
    token = site.service_token(row.by or "matchmaking")
    assert await site.reason(row.method, row.ask(scene), token, inside=True) == row.right


# --- players who may not ------------------------------------------------------------------------


def _expected(row: Players, refusal: str | None) -> str:
    """Who may as well as the holder hears what the holder hears."""
    return refusal or row.right


@pytest.mark.parametrize("row", _with("stranger"))
async def test_a_stranger(site: Site, scene: Scene, row: Players) -> None:
    expected = _expected(row, row.stranger)
    scene = await _scene_for(site, scene, row, expected)
    assert await site.reason(row.method, row.ask(scene), scene.stranger.token) == expected


@pytest.mark.parametrize("row", _with("spectator"))
async def test_a_spectator(site: Site, scene: Scene, row: Players) -> None:
    expected = _expected(row, row.spectator)
    scene = (await _scene_for(site, scene, row, expected)).at_watched()
    assert await site.reason(row.method, row.ask(scene), scene.stranger.token) == expected


@pytest.mark.parametrize("row", _with("other_seat"))
async def test_the_person_of_another_seat(site: Site, scene: Scene, row: Players) -> None:
    expected = _expected(row, row.other_seat)
    scene = await _scene_for(site, scene, row, expected)
    assert await site.reason(row.method, row.ask(scene), scene.other.token) == expected


@pytest.mark.parametrize("row", _with("former"))
async def test_the_former_holder_of_a_seat(site: Site, scene: Scene, row: Players) -> None:
    expected = _expected(row, row.former)
    scene = await _scene_for(site, scene, row, expected)
    assert await site.reason(row.method, row.ask(scene), scene.former.token) == expected


# --- tokens that are none -----------------------------------------------------------------------


@pytest.mark.parametrize("row", PLAYERS)
async def test_no_token(site: Site, scene: Scene, row: Players) -> None:
    assert await site.reason(row.method, row.ask(scene), None) == "TOKEN_MISSING"


@pytest.mark.parametrize("row", PLAYERS)
async def test_a_token_past_its_time(site: Site, scene: Scene, row: Players) -> None:
    token = site.signed(scene.holder.player_id, ended=True)
    assert await site.reason(row.method, row.ask(scene), token) == "TOKEN_EXPIRED"


@pytest.mark.parametrize("row", PLAYERS)
async def test_a_token_that_nobody_here_signed(site: Site, scene: Scene, row: Players) -> None:
    forged = site.signed(scene.holder.player_id, KeyRing.generate())
    for token in (forged, "nonsense", "", scene.holder.refresh_token):
        assert await site.reason(row.method, row.ask(scene), token) == INVALID


@pytest.mark.parametrize("row", PLAYERS)
async def test_a_player_who_was_signed_out_or_deleted(
    site: Site, scene: Scene, row: Players
) -> None:
    for token in (scene.signed_out, scene.deleted):
        expected = row.right if row.method == LIST_AGENTS else INVALID
        assert await site.reason(row.method, row.ask(scene), token) == expected


@pytest.mark.parametrize("row", _named(row for row in ROWS if row.method == LIST_AGENTS))
async def test_the_ai_service_tells_everybody_the_same(
    site: Site, scene: Scene, row: Players
) -> None:
    """So a token that was signed out opens nothing there. All other calls refuse it (see above)."""
    people = (scene.holder, scene.other, scene.stranger)
    tokens = [scene.signed_out, scene.deleted, *(one.token for one in people)]
    answers = [await site.call(row.method, row.ask(scene), token) for token in tokens]
    assert all(answer == answers[0] for answer in answers)


@pytest.mark.parametrize("row", PLAYERS)
async def test_a_service_that_calls_from_outside(site: Site, scene: Scene, row: Players) -> None:
    for name in ("admin", "ai", "matchmaking", "rules"):
        token = site.service_token(name)
        assert await site.reason(row.method, row.ask(scene), token) == INVALID


@pytest.mark.parametrize("row", PLAYERS)
async def test_a_service_without_seats_and_a_player_inside(
    site: Site, scene: Scene, row: Players
) -> None:
    reason = await site.reason(
        row.method, row.ask(scene), site.service_token("matchmaking"), inside=True
    )
    assert reason == row.service
    reason = await site.reason(row.method, row.ask(scene), scene.holder.token, inside=True)
    assert reason == INVALID


# --- internal methods ---------------------------------------------------------------------------


@pytest.mark.parametrize("row", SERVICES)
async def test_internal_methods_do_not_exist_outside(
    site: Site, scene: Scene, row: Services
) -> None:
    for token in (None, scene.holder.token, site.service_token(row.by or "matchmaking")):
        assert await site.reason(row.method, row.ask(scene), token) == MISSING


@pytest.mark.parametrize("row", SERVICES)
async def test_inside_only_the_right_service_is_let_in(
    site: Site, scene: Scene, row: Services
) -> None:
    callers = [
        (None, "TOKEN_MISSING"),
        (scene.holder.token, INVALID),
        ("nonsense", INVALID),
        (site.service_token(row.by or "matchmaking", ended=True), "TOKEN_EXPIRED"),
    ]
    if row.by:
        wrong = {"admin", "ai", "matchmaking", "rules"} - {row.by}
        callers += [(site.service_token(name), row.others) for name in wrong]
    for token, expected in callers:
        assert await site.reason(row.method, row.ask(scene), token, inside=True) == expected
