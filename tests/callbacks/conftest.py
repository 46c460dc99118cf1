"""Fixtures of callbacks."""

from typing import Any

import pytest

from apps.callbacks import sending
from tests.callbacks.receivers import Receivers


@pytest.fixture
def receivers(db: Any, monkeypatch: Any) -> Receivers:
    """Receivers that answer as they are told, without a network."""
    made = Receivers()
    monkeypatch.setattr(sending, "post", made.post)
    return made
