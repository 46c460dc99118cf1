"""What a screen was held against is told without the lists that could not be searched."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from apps.backoffice.review.models import Case
from apps.compliance.screening.combined import selectors
from apps.compliance.screening.models import Screen
from tests.review.people import OFFICER, at_desk, check_page, person

HOLDERS = "Sample of politically exposed persons"


def told(group: str = OFFICER) -> str:
    return check_page(
        at_desk(person("olivia", group)).get(f"/admin/review/case/{Case.objects.get().pk}/")
    )


@pytest.mark.parametrize(("individual", "off"), [(True, True), (True, False), (False, True)])
def test_a_list_that_just_went_off_is_not_told_as_searched(
    screen: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, individual: bool, off: bool
) -> None:
    current = selectors.watchlist_engine.load_current_engine

    def lagging(*args: Any, **kwargs: Any) -> Any:
        """Serve the index of before, which still holds the list that is off now."""
        engine = current(*args, **kwargs)
        pep = replace(engine.freshness["pep"], state="absent" if off else "fresh")
        return replace(engine, freshness={**engine.freshness, "pep": pep})

    monkeypatch.setattr(selectors.watchlist_engine, "load_current_engine", lagging)
    assert screen(individual=individual, country="HT")["decision"] == "FLAGGED"
    evidence = Screen.objects.get().data["evidence"]
    unsearched = individual and off
    assert evidence["notSearched"] == (["sample-peps"] if unsearched else [])
    assert (HOLDERS in told()) is not unsearched
