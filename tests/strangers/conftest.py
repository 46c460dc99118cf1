"""Fixtures of the walk: the bundled sample, loaded once a test."""

from pathlib import Path

import pytest

from tests.api.conftest import _loaded, loaded  # noqa: F401
from tests.screening.conftest import sample  # noqa: F401

HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark every test of this folder; the hook is shown those of all others too."""
    for item in items:
        if item.path.is_relative_to(HERE):
            item.add_marker(pytest.mark.strict)
