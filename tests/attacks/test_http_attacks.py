"""The attacks by HTTP on a platform that runs, as `./run` starts it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.attacks.__main__ import main
from tests.test_run import STARTS_WITHIN, Platform

pytestmark = [pytest.mark.processes, pytest.mark.once, pytest.mark.timeout(STARTS_WITHIN * 2)]
RATES = dict.fromkeys(("SCREEN_RATE_PER_MINUTE", "FREE_RATE_PER_MINUTE"), "1000000")


@pytest.fixture(scope="module")
def attacked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Platform]:
    """A platform, and the environment by which attacks find it."""
    folder = tmp_path_factory.mktemp("attacked")
    with pytest.MonkeyPatch.context() as patch:
        for name, value in RATES.items():
            patch.setenv(name, value)
        platform = Platform(folder)
        try:
            patch.setenv("VAR_DIR", str(folder))
            patch.setenv("PORT", str(platform.port))
            yield platform
        finally:
            platform.stop()
            platform.log.close()


@pytest.mark.parametrize(
    "words",
    [["hostile-http"], ["disguised-names"], ["same-key", "40"], ["slow-clients", "100"]],
    ids=lambda words: words[0],
)
def test_a_platform_holds_against(
    attacked: Platform, words: list[str], capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 0, capfd.readouterr().err


@pytest.mark.nightly
@pytest.mark.parametrize("name", ["refresh-wedge", "unloaded-lists"])
def test_an_installation_of_its_own_holds_against(
    name: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert main([name]) == 0, capfd.readouterr().err


@pytest.mark.nightly
@pytest.mark.timeout(STARTS_WITHIN * 6)
def test_a_platform_that_is_killed_loses_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    if not Path("/proc").exists():
        pytest.skip("needs /proc to find the processes it kills")
    assert main(["kill-screens", "20"]) == 0, capfd.readouterr().err
