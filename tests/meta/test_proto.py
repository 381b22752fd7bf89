"""The guard of the contracts, tried on a copy of them."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterable
from pathlib import Path

import pytest

from tools import lint, proto
from tools.reports import ROOT

ERRORS = "oddsocks/play/v1/errors.proto"


@pytest.fixture
def copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of proto/ on which the guard works instead of the real one."""
    folder = tmp_path / "proto"
    shutil.copytree(proto.PROTO, folder)
    monkeypatch.setattr(proto, "PROTO", folder)
    monkeypatch.setattr(proto, "GENERATED", folder / "gen")
    monkeypatch.setattr(proto, "BASELINE", folder / "baseline.binpb")
    proto.write_image(folder / "baseline.binpb")
    return folder


def replace(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def test_an_unchanged_contract_is_compatible(copy: Path) -> None:
    assert "the accepted contract" in proto.check_compatible()


def test_a_renumbered_value_breaks_the_contract(copy: Path) -> None:
    replace(copy / ERRORS, "ERROR_REASON_TOKEN_MISSING = 11", "ERROR_REASON_TOKEN_MISSING = 111")
    with pytest.raises(proto.Broken, match="ErrorReason"):
        proto.check_compatible()
    with pytest.raises(proto.Broken, match="ACCEPT_BREAKING=1"):
        proto.regenerate(accept_breaking=False)
    proto.regenerate(accept_breaking=True)
    assert "the accepted contract" in proto.check_compatible()


def test_a_new_value_moves_the_baseline_along(copy: Path) -> None:
    old = "  ERROR_REASON_TOKEN_MISSING = 11;\n"
    replace(copy / ERRORS, old, f"{old}  // New.\n  ERROR_REASON_NEW = 99;\n")
    with pytest.raises(proto.Broken, match="behind"):
        proto.check_compatible()
    with pytest.raises(proto.Broken, match=r"errors_pb2\.py"):
        proto.check_generated()
    proto.regenerate(accept_breaking=False)
    proto.check_compatible()
    proto.check_generated()


def test_a_field_without_a_comment_is_refused(copy: Path) -> None:
    replace(copy / ERRORS, "  // FAILED_PRECONDITION: the match is over.\n", "")
    with pytest.raises(proto.Broken, match="ERROR_REASON_MATCH_FINISHED"):
        proto.check_style()


def test_a_file_written_by_hand_into_the_generated_folder_is_found(copy: Path) -> None:
    proto.regenerate(accept_breaking=False)
    (copy / "gen" / "oddsocks" / "extra.py").write_text("")
    with pytest.raises(proto.Broken, match=r"oddsocks/extra\.py"):
        proto.check_generated()


def versions(pattern: str, paths: Iterable[Path]) -> set[tuple[int, ...]]:
    return {
        tuple(map(int, found.groups()))
        for path in paths
        for found in re.finditer(pattern + r"(\d+)\.(\d+)\.(\d+)", path.read_text(), re.M)
    }


def test_the_generated_code_is_no_newer_than_any_runtime_we_ship() -> None:
    generated = versions("^# Protobuf Python Version: ", proto.GENERATED.rglob("*_pb2.py"))
    shipped = versions("^protobuf==", lint.lock_files())
    assert generated
    assert shipped
    assert max(generated) <= min(shipped)


def test_phones_get_no_stub_that_needs_grpcio() -> None:
    """The app takes the messages and grpclib's stubs; neither imports grpcio."""
    for path in (ROOT / "proto/gen").rglob("*.py"):
        if not path.name.endswith("_pb2_grpc.py"):
            assert not re.search(r"^(import|from) grpc\b", path.read_text(), re.M), path
