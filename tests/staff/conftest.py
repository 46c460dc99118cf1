"""One clock for all pages of sign-in."""

from typing import Any

import pytest

from tests.staff.people import CLOCKS, Clock


@pytest.fixture
def clock(db: None, monkeypatch: Any) -> Clock:
    found = Clock()
    for place in CLOCKS:
        monkeypatch.setattr(place, found)
    return found
