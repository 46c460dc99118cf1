"""Fixtures of the walk: the bundled sample, loaded once a test."""

from typing import Any

import pytest

from tests.api.oracles import run_oracles
from tests.screening.conftest import sample  # noqa: F401


@pytest.fixture
def loaded(sample: Any) -> Any:  # noqa: F811
    """The bundled sample: what the rows' examples are about; and a run of each oracle."""
    run_oracles()
    return sample
