"""No APK can be built here, so what a build would do is checked as deep as it can be.

Four checks: buildozer reads its specification; python-for-android orders its recipes, grpcio not
among them; pip, asked the way python-for-android asks it, finds every package as a pure wheel;
and the folder that would be packed compiles, imports and makes a real RPC without site-packages.
"""

from __future__ import annotations

import asyncio
import compileall
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest
from buildozer import Buildozer
from pythonforandroid.bootstrap import Bootstrap
from pythonforandroid.build import Context
from pythonforandroid.graph import get_recipe_order_and_bootstrap
from pythonforandroid.recipe import Recipe

import stage
from app.i18n import LANGUAGES
from app.model.introduction import LINK as SERVER
from services.engine.core.registry import game_names
from services.matchmaking.names import LINK as JOIN
from services.matchmaking.push.fcm import body_of
from services.matchmaking.push.senders import Kind, Message
from tests.mobile.servers import Script, serving
from tools.reports import ROOT

SPEC = ROOT / "mobile" / "buildozer.spec"


@pytest.fixture(scope="module")
def spec() -> Buildozer:
    return Buildozer(str(SPEC), "android")


@pytest.fixture(scope="module")
def requirements(spec: Buildozer) -> list[str]:
    return list(spec.config.getlist("app", "requirements"))


@pytest.fixture(scope="module")
def staged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return stage.stage(tmp_path_factory.mktemp("stage") / "mobile")


@pytest.fixture(scope="module")
def site() -> Path:
    """The phone's packages; fetched once, as `make mobile-stage` does."""
    return stage.install_site()


def pythons() -> Iterator[str]:
    """The Pythons of this machine that a phone or desktop could have."""
    yield sys.executable
    for minor in (11, 12, 13, 14):
        found = shutil.which(f"python3.{minor}")
        if (
            found
            and subprocess.run([found, "-c", ""], capture_output=True, check=False).returncode == 0
        ):
            yield found


# --- 1: buildozer ------------------------------------------------------------------------------


def test_buildozer_reads_the_specification(spec: Buildozer) -> None:
    spec.check_configuration_tokens()


def test_the_specification_keeps_to_the_lock_file(requirements: list[str]) -> None:
    locked = {
        line.split(" ")[0]
        for line in stage.LOCK.read_text("utf-8").splitlines()
        if "==" in line and not line.startswith((" ", "#"))
    }
    assert [name for name in requirements if name != "python3" and name not in locked] == []
    names = {name.split("==")[0] for name in requirements}
    assert names == {"python3", "kivy", *stage.PACKAGES}


def test_the_specification_demands_what_phones_and_shops_demand(spec: Buildozer) -> None:
    assert spec.config.getlist("app", "android.archs") == ["arm64-v8a"]
    assert spec.config.get("app", "android.ndk") == "28c"  # pages of 16 KB
    assert spec.config.getlist("app", "android.permissions") == ["INTERNET", "POST_NOTIFICATIONS"]
    packed = set(spec.config.getlist("app", "source.include_exts"))
    needed = {path.suffix[1:] for path in (ROOT / "mobile" / "app").rglob("*") if path.is_file()}
    assert needed - {"pyc", "po"} <= packed  # a .po is read by tools only


def test_the_specification_opens_the_app_by_its_links(spec: Buildozer) -> None:
    """One app for all of them, running or not: an invitation and a server at home."""
    assert spec.config.get("app", "android.manifest.launch_mode") == "singleTask"
    filters = ROOT / "mobile" / spec.config.get("app", "android.manifest.intent_filters")
    text = filters.read_text("utf-8").replace("android:", "")
    found = ElementTree.fromstring(f"<filters>{text}</filters>")
    assert [len(one.findall("data")) for one in found] == [2]
    links = {f"{one.get('scheme')}://{one.get('host')}/" for one in found.iter("data")}
    assert links == {JOIN, SERVER}
    actions = {one.get("name", "").rpartition(".")[2] for one in found[0] if one.get("name")}
    assert actions == {"VIEW", "DEFAULT", "BROWSABLE"}


# --- 2: python-for-android's recipes -----------------------------------------------------------


def test_recipes_have_an_order_and_grpcio_is_not_among_them(
    requirements: list[str], tmp_path: Path
) -> None:
    context = Context()
    context.setup_dirs(str(tmp_path))
    names = [name.split("==")[0] for name in requirements]
    recipes, modules, bootstrap = get_recipe_order_and_bootstrap(
        context, names, Bootstrap.get_bootstrap("sdl2", context)
    )
    assert bootstrap.name == "sdl2"
    assert {"python3", "kivy", "sdl2"} <= set(recipes)
    assert "grpcio" not in {*recipes, *modules}
    assert set(stage.PACKAGES) <= set(modules)
    # The Python that the phone gets is the one the packages are resolved for.
    assert Recipe.get_recipe("python3", context).version == "3.14.2"
    assert f"--python-version={Recipe.get_recipe('python3', context).version}" in stage.ANDROID_TAGS


# --- 3: pip, as python-for-android asks it --------------------------------------------------------


def test_every_package_is_a_pure_wheel(requirements: list[str], tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    wanted = [name for name in requirements if name.split("==")[0] in stage.PACKAGES]
    command = [sys.executable, "-m", "pip", "install", "--dry-run", "--ignore-installed"]
    command += ["--disable-pip-version-check", "--quiet", "--report", str(report)]
    command += ["--target", str(tmp_path / "nothing"), *stage.ANDROID_TAGS, *wanted]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    installed = json.loads(report.read_text())["install"]
    wheels = {Path(one["download_info"]["url"]).name for one in installed}
    assert len(wheels) == len(stage.PACKAGES)
    assert [wheel for wheel in wheels if not wheel.endswith("py3-none-any.whl")] == []


# --- 4: the folder itself -------------------------------------------------------------------------


def test_the_folder_has_the_app_and_nothing_for_servers(staged: Path) -> None:
    rooms = {path.name for path in (staged / "services").iterdir()} - {"__init__.py"}
    assert rooms == {"engine", "wire", "advice"}
    names = {path.name for path in staged.rglob("*")}
    assert {"main.py", "buildozer.spec", "match.kv", "OFL.txt", "rules_service_grpc.py"} <= names
    # What is read at run time comes along, and buildozer packs it; what only tools read does not.
    assert {"app.mo", "socker.toml", "apache.txt"} <= names
    assert not [name for name in names if name.endswith(("_pb2_grpc.py", ".pyi", ".pyc", ".po"))]


def test_the_words_of_a_call_lie_where_the_device_finds_them(staged: Path, spec: Buildozer) -> None:
    """The server sends keys; what they mean is said in the device's language, app open or not."""
    folder = staged / spec.config.get("app", "android.add_resources")
    said: dict[str, set[str]] = {}
    for language in LANGUAGES:
        name = "values" if language == "en" else f"values-{language}"
        strings = ElementTree.parse(folder / name / "push.xml").getroot()
        said[language] = {one.get("name", "") for one in strings}
        texts = [one.text or "" for one in strings]
        assert all(text.startswith('"') and len(text) > 4 for text in texts)
        assert language == "en" or "It is your turn" not in " ".join(texts)
    sent = set()
    for kind in Kind:
        words = body_of(Message("d", "t", kind, "m"))["android"]["notification"]
        sent |= {words["title_loc_key"], words["body_loc_key"]}
    assert said == dict.fromkeys(LANGUAGES, sent)


def test_nothing_is_compiled_and_all_of_it_compiles(staged: Path, site: Path) -> None:
    assert stage.compiled_parts(staged, site) == []
    for folder in (staged, site):
        assert compileall.compile_dir(folder, quiet=2, force=True)


_CALL = """
import asyncio, sys
from app.net.address import parse_address
from app.net.remote import RemoteGateway

async def main():
    gateway = RemoteGateway(parse_address(sys.argv[1], plaintext=True))
    player = await gateway.sign_in()
    agents = await gateway.list_agents("socker")
    await gateway.close()
    print(player.player_id, agents[0].name)

asyncio.run(main())
assert "grpc" not in sys.modules and "kivy" not in sys.modules
"""


@pytest.mark.field(28)
async def test_a_real_call_from_the_folder_alone(staged: Path, site: Path) -> None:
    script = Script()
    async with serving(script) as port:
        for python in sorted(set(pythons())):
            environment = {
                "PATH": os.environ["PATH"],
                "PYTHONPATH": os.pathsep.join([str(staged), str(site)]),
                "PYTHONDONTWRITEBYTECODE": "1",
            }
            # -S: no site-packages, so that nothing of this machine helps out.
            process = await asyncio.create_subprocess_exec(
                *(python, "-S", "-c", _CALL, f"127.0.0.1:{port}"),
                env=environment,
                cwd=staged,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
            )
            out, err = await process.communicate()
            assert out.decode().split() == ["p1", "random"], f"{python}: {err.decode()}"


_PLAY = """
import asyncio, sys
from pathlib import Path
from app.model.places import here_id
from app.model.store import Store
from app.model.values import MatchStatus, SeatWish
from app.net.local import LocalGateway
from app.net.local_shelf import Shelf
from app.net.local_thinking import Thinker
from services.engine.agents import Budget
from services.engine.core.registry import game_names

ENOUGH = 3

def on(folder):
    thinker = Thinker(Budget(seconds=None, iterations=20))
    return LocalGateway(Shelf(Store(folder)), lambda: "Ada", thinker=thinker, pace_s=0)

async def main():
    gateway = on(Path(sys.argv[1]))
    for game in game_names():
        opponent = (await gateway.list_agents(game))[-1]
        table = await gateway.open_table(game, game, (SeatWish.ME, opponent), {})
        answered = 0
        async for update in gateway.watch_match(table.match_id, 0):
            answered += getattr(update, "origin", "") == opponent.name
            if answered == ENOUGH:
                break
            mine = getattr(update, "acting_view", None)
            if mine is not None:
                act, revision = mine.legal[0], update.revision
                await gateway.submit_action(update.match_id, 0, str(revision), revision, act)
    again = on(Path(sys.argv[1]))
    for game in game_names():
        match = await gateway.get_match(here_id(game))
        assert await again.get_match(match.match_id) == match
        print(game)
    await gateway.close()
    await again.close()

asyncio.run(main())
assert "grpclib" not in sys.modules and "kivy" not in sys.modules
"""


@pytest.mark.field(28)
def test_every_game_is_played_against_its_opponent_from_the_folder_alone(
    staged: Path, site: Path, tmp_path: Path
) -> None:
    for number, python in enumerate(sorted(set(pythons()))):
        done = subprocess.run(
            [python, "-S", "-c", _PLAY, str(tmp_path / str(number))],
            env={
                "PYTHONPATH": os.pathsep.join([str(staged), str(site)]),
                "PYTHONDONTWRITEBYTECODE": "1",
            },
            cwd=staged,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.stdout.split() == list(game_names()), f"{python}: {done.stderr}"


@pytest.mark.field(28)
def test_all_stubs_import_under_the_phones_runtime(staged: Path, site: Path) -> None:
    modules = [
        ".".join(path.relative_to(staged).with_suffix("").parts)
        for path in staged.rglob("*_pb2.py")
    ]
    code = f"import importlib; [importlib.import_module(name) for name in {modules!r}]"
    done = subprocess.run(
        [sys.executable, "-S", "-c", code],
        env={"PYTHONPATH": os.pathsep.join([str(staged), str(site)])},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_the_lock_files_part_for_phones_has_hashes() -> None:
    text = stage.pinned()
    assert text.count("==") == len(stage.PACKAGES)
    assert "--hash=sha256:" in text
    assert "kivy" not in text
