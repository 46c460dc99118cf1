"""Fixtures of the tests of upstreams."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from apps.platform.upstreams.http import Upstream
from tests.upstreams.loopback import Loopback


@pytest.fixture
def far() -> Iterator[Loopback]:
    loopback = Loopback()
    yield loopback
    loopback.close()


@pytest.fixture
def upstream(far: Loopback) -> Upstream:
    made = Upstream()
    made.name, made.base_url, made.timeout, made.largest = "test", far.url, (1.0, 1.0), 1_000_000
    return made


@pytest.fixture(autouse=True)
def _slots(settings: Any, tmp_path: Path) -> None:
    settings.VAR_DIR, settings.WEB_WORKERS = tmp_path, 4
