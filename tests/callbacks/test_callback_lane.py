"""Real workers: each attempt at its time, and one receiver that hangs holds up nobody else's."""

from pathlib import Path

import pytest

from tests.platform.script_driver import driven

pytestmark = [pytest.mark.processes, pytest.mark.once]
LATEST = 1.0  # seconds: a lane that looked now and then would be later
BUSY = 2.0  # what a busy machine may add to the worst


def test_attempts_come_to_the_second(tmp_path: Path) -> None:
    late = driven("tests.callbacks.lane_drive", tmp_path, "12", "1", "0")["late"]
    for number in ("1", "2"):
        assert late[number]["n"] == 12
        assert late[number]["p50"] <= LATEST and late[number]["max"] <= LATEST + BUSY


def test_one_that_hangs_holds_up_nobody_else(tmp_path: Path) -> None:
    found = driven("tests.callbacks.lane_drive", tmp_path, "12", "0", "200")
    assert 1 <= found["to one that hangs"] <= 12
    assert found["late"]["1"]["n"] == 12
    assert found["late"]["1"]["p50"] <= LATEST and found["late"]["1"]["max"] <= LATEST + BUSY
