"""Fixtures of the walk: the bundled sample, loaded once a test."""

from tests.api.conftest import _loaded, loaded  # noqa: F401
from tests.screening.conftest import sample  # noqa: F401
