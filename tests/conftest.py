"""What all tests share: markers that are checked, the order of a run, and its report."""

from __future__ import annotations

from typing import Any

import hypothesis
import pytest
from xdist.scheduler.loadscope import LoadScopeScheduling

from deploy.engine import engine_answers
from services.common.logs import configure_logs
from tests.fixtures.local import postgres_url, redis_url
from tools import coverage_map
from tools.reports import REPORTS, Check, Report, Status

# One server of each kind for the whole run, where a folder has none of its own.
__all__ = ["postgres_url", "redis_url"]

# Fast areas first, so that a slip shows at once; then those with long modules; last the contracts,
# whose many modules of a few seconds let all workers end together.
ORDER = (
    "meta",
    "unit",
    "conformance",
    "perft",
    "playthroughs",
    "fifth_game",
    "stateful",
    "crosscheck",
    "leakcheck",
    "mobile",
    "contract",
    "containers",
    "e2e",
)
ONE_AT_A_TIME = frozenset({"containers", "e2e"})
"""Areas that start whole systems: never two of them at once on one machine."""

ONE_BY_ONE = frozenset({"crosscheck", "leakcheck"})
"""Areas where a test takes as long as a module does elsewhere and shares nothing with others."""

# The same examples in every run, and no clock: a busy machine is no failure.
hypothesis.settings.register_profile(
    "oddsocks",
    deadline=None,
    derandomize=True,
    suppress_health_check=[hypothesis.HealthCheck.too_slow],
)
hypothesis.settings.load_profile("oddsocks")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--report",
        metavar="TARGET",
        help="write build/reports/TARGET.json; then a skipped test counts as failed",
    )


def pytest_configure(config: pytest.Config) -> None:
    target = config.getoption("--report")
    if target and not hasattr(config, "workerinput"):
        try:
            reporter = _Reporter(target)
        except ValueError as error:
            raise pytest.UsageError(f"--report: {error}") from error
        config.pluginmanager.register(reporter, "oddsocks-report")


def pytest_report_header() -> list[str]:
    if engine_answers():
        return []
    return ["no container engine answers: Redis and PostgreSQL run as local processes"]


@pytest.fixture(scope="session", autouse=True)
def _service_logs() -> None:
    """Services that run in this process log as they do in their own.

    What structlog does unasked takes seconds for each error: it draws every local variable.
    """
    configure_logs("tests", "WARNING")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    problems: list[str] = []
    for item in items:
        problems += _label(item)
    if problems:
        raise pytest.UsageError("\n".join(problems))
    parallel = hasattr(config, "workerinput")
    items.sort(key=lambda item: _rank(item, parallel))


def _label(item: pytest.Item) -> list[str]:
    """Note the rows and rulings that a test holds where reports find them; returns complaints."""
    problems = []
    for kind, known in (("field", coverage_map.rows()), ("ruling", coverage_map.rulings())):
        for marker in item.iter_markers(kind):
            for value in marker.args:
                if value not in known:
                    problems.append(f"{item.nodeid}: there is no {kind} {value!r}")
                item.user_properties.append((kind, value))
    return problems


def _area(nodeid: str) -> str:
    return nodeid.removeprefix("tests/").partition("/")[0]


@pytest.hookimpl(optionalhook=True)  # without xdist nobody calls it
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> LoadScopeScheduling:
    return _ByGroup(config, log)


class _ByGroup(LoadScopeScheduling):  # type: ignore[misc]  # xdist ships no types
    """Gives each group of tests to one worker: a module, all that start whole systems, or a single
    test of the areas that go one by one.

    Not by xdist's own marker for groups: xdist 3.8 writes them into an attribute of the tests that
    pytest 9.2 does not look at.
    """

    def _split_scope(self, nodeid: str) -> str:
        area = _area(nodeid)
        if area in ONE_AT_A_TIME:
            return "systems"
        return nodeid if area in ONE_BY_ONE else nodeid.partition("::")[0]


def _rank(item: pytest.Item, parallel: bool) -> int:
    """Position of a test's area in the run. Sorting is stable, so its order within stays."""
    area = _area(item.nodeid)
    if parallel and area in ONE_AT_A_TIME:
        return -1  # the longest group has to start first, beside the fast ones
    return ORDER.index(area) if area in ORDER else len(ORDER)


class _Reporter:
    """Collects the results (with xdist: of all workers) and writes the report at the end."""

    def __init__(self, target: str) -> None:
        self.report = Report(target)
        self.status: dict[str, Status] = {}
        self.seconds: dict[str, float] = {}
        self.labels: dict[str, dict[str, list[object]]] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        test = report.nodeid
        worst = max(self.status.get(test, "passed"), report.outcome, key=_badness)
        self.status[test] = worst
        self.seconds[test] = self.seconds.get(test, 0.0) + report.duration
        labels: dict[str, list[object]] = {}
        for name, value in report.user_properties:
            if name in ("field", "ruling"):
                labels.setdefault(name, []).append(value)
        self.labels[test] = labels

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.outcome != "passed":
            self.status[report.nodeid] = report.outcome

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        for test in sorted(self.status):
            seconds = round(self.seconds.get(test, 0.0), 3)
            labels = self.labels.get(test, {})
            self.report.add(Check(test, self.status[test], seconds, None, "s", dict(labels)))
        self.report.equals("exit status of pytest", int(session.exitstatus), 0)
        if self.report.write() and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        skipped = sum(status == "skipped" for status in self.status.values())
        if skipped:
            terminalreporter.write_line(f"{skipped} skipped: counted as failed", red=True)
        terminalreporter.write_line(f"report: {REPORTS / self.report.target}.json")


def _badness(status: Status) -> int:
    return ("passed", "skipped", "failed").index(status)
