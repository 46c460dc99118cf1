"""kill -9 of who asks for a lookup and of who makes it: nothing is lost, nothing doubled."""

from pathlib import Path

import pytest

from tests.platform.script_driver import driven


@pytest.mark.once  # on a file of its own
@pytest.mark.processes
def test_a_lookup_survives_kill_9_when_it_is_queued_and_half_way(tmp_path: Path) -> None:
    found = driven("tests.esg.kill_drive", tmp_path)
    assert found["lost"] == 0, "a caller that died in its transaction left a part of it"
    assert found["queued"] == [["PENDING"], True]
    assert found["half"] == ["climate_target"], "what the first source gave was kept at once"
    assert found["evidence"] == ["climate_target", "injury_rate"]
    assert (found["jobs"], found["attempts"]) == (["DONE"], [2])
    assert found["done"] and found["faults"] == {}
