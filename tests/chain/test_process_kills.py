"""kill -9 of the watcher at each of its writes: nothing is lost, and nothing counts twice."""

from typing import Any

import pytest

from tests.platform.script_driver import driven

pytestmark = [pytest.mark.processes, pytest.mark.once, pytest.mark.timeout(600)]
ACTS = ("found", "taken_back")


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the killed processes left, on a database of their own."""
    folder = tmp_path_factory.mktemp("killed")
    return driven("tests.chain.kill_drive", folder, settings="config.settings", seconds=580)


@pytest.mark.parametrize("act", ACTS)
def test_a_watcher_that_is_killed_at_any_write_is_taken_up_where_it_was(
    done: dict[str, Any], act: str
) -> None:
    *died, whole = done[act]
    assert len(died) >= 12 and not whole["died"]
    for one in died:
        assert one["died"] and one["then"] == whole["then"]


@pytest.mark.parametrize("act", ACTS)
def test_what_it_leaves_is_as_it_was_recorded(done: dict[str, Any], act: str) -> None:
    for one in done[act]:
        assert one["left"]["faults"] == one["then"]["faults"] == []
        for order in one["left"]["orders"].values():
            assert order["bound"] is (order["state"] in ("CONFIRMING", "FINAL"))


def test_what_the_whole_way_comes_to(done: dict[str, Any]) -> None:
    paid, less = done["found"][-1]["then"]["orders"].values()
    assert paid["events"] == ["OPENED", "FOUND", "DEEP"] and paid["cases"] == 0
    assert less["events"] == ["OPENED", "UNFIT"] and less["cases"] == 1
    fell, undone = done["taken_back"][-1]["then"]["orders"].values()
    assert undone["events"] == ["OPENED", "FOUND", "DEEP", "UNDONE"] and undone["cases"] == 1
    assert fell["events"] == ["OPENED", "FOUND", "FELL"] and fell["cases"] == 0
    assert all(one["told"] for one in (paid, less, fell, undone))
