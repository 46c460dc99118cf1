"""Fixtures of callbacks."""

from typing import Any

import pytest

from apps.payments.callbacks.clients import webhook_client
from tests.callbacks.receivers import Receivers
from tests.upstreams.conftest import far  # noqa: F401


@pytest.fixture
def receivers(db: Any, monkeypatch: Any) -> Receivers:
    """Receivers that answer as they are told, without a network."""
    made = Receivers()
    monkeypatch.setattr(webhook_client, "post_callback", made.post)
    return made
