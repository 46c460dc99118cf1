"""What the benchmark of a screen measures beside it answers, and looks nothing up."""

from typing import Any

import pytest
from django.test import override_settings
from rest_framework.test import APIClient

from tests.screening.conftest import CLEAN


@pytest.mark.parametrize("address", ["/ceiling", "/bare"])
def test_what_a_screen_is_measured_against_answers(alice: APIClient, address: str) -> None:
    asked: dict[str, Any] = {"name": CLEAN, "country": "DE"}
    with override_settings(ROOT_URLCONF="benchmarks.screen_urls"):
        assert alice.post(address, asked, format="json").status_code == 200
