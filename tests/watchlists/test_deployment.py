"""A deployment that requires less than it should is told so before its first screen."""

from typing import Any

import pytest
from django.core.checks import run_checks

ALL = ["us-ofac-sdn", "un-sc", "eu-fsf", "uk-sl"]


@pytest.fixture
def production(settings: Any) -> Any:
    """A deployment in production as it should be."""
    settings.PRODUCTION, settings.REQUIRED_SOURCES = True, ALL
    settings.INDEX_MAX_LAG_SECONDS = 900
    return settings


def told() -> list[tuple[str | None, str]]:
    return [(check.id, check.msg) for check in run_checks(tags=["watchlists"])]


@pytest.mark.parametrize("required", [ALL, ["OFAC", "UN", "EU", "UK"], [*ALL, "house"]])
def test_all_that_production_demands_is_no_word_worth(production: Any, required: list[str]) -> None:
    production.REQUIRED_SOURCES = required
    assert told() == []


@pytest.mark.parametrize(
    ("required", "lacks"),
    [(ALL[1:], "us-ofac-sdn"), (["OFAC", "uk-sl"], "un-sc, eu-fsf"), (["house"], ", ".join(ALL))],
)
def test_a_list_that_is_not_required_any_more_is_named(
    production: Any, required: list[str], lacks: str
) -> None:
    production.REQUIRED_SOURCES = required
    said = f"REQUIRED_SOURCES does not require {lacks}: screens run without."
    assert told() == [("watchlists.W001", said)]


@pytest.mark.parametrize(("seconds", "found"), [(86_400, []), (86_401, ["watchlists.E001"])])
def test_an_index_may_not_lag_for_more_than_a_day(
    production: Any, seconds: int, found: list[str]
) -> None:
    production.INDEX_MAX_LAG_SECONDS = seconds
    assert [name for name, _ in told()] == found


def test_a_sandbox_may_do_without(settings: Any) -> None:
    settings.REQUIRED_SOURCES, settings.INDEX_MAX_LAG_SECONDS = [], 999_999_999
    assert told() == []
