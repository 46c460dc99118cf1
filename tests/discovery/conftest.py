"""Fixtures of what machines read: the bundled sample and a run of each oracle."""

from tests.api.conftest import _loaded, loaded  # noqa: F401
from tests.screening.conftest import sample  # noqa: F401
