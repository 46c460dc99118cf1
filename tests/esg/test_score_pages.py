"""Scores, evidence and lookups at the desk."""

from collections.abc import Callable
from typing import Any

import pytest

from apps.insight.esg.models import EsgLookup, EsgScore, Evidence
from tests.conftest import NOON
from tests.esg.conftest import APPLE, MICROSOFT
from tests.platform.tampering import sql, without_triggers
from tests.review.people import SENIOR, at_desk, check_page, person

pytestmark = pytest.mark.django_db


def desk(group: str = SENIOR) -> Any:
    return at_desk(person("somebody", group))


def test_a_score_is_shown_indicator_by_indicator_and_computed_anew(ask: Callable[..., Any]) -> None:
    found = ask(APPLE, name="Apple Inc.")
    page = check_page(desk().get(f"/admin/esg/esgscore/{EsgScore.objects.get().pk}/change/"))
    for told in ("<strong>Apple Inc.</strong>: ESG", "Sample:", "same result",
                 "Women among board members", "missing", "391,035,000,000 USD",
                 "1.416656 (-2.5 to 2.5)",
                 f"Governance: {found['governance']}"):  # fmt: skip
        assert told in page, told


def test_a_score_that_was_altered_says_so(ask: Callable[..., Any]) -> None:
    ask()
    with without_triggers():
        sql("UPDATE esg_esgscore SET composite = 100")
    page = check_page(desk().get(f"/admin/esg/esgscore/{EsgScore.objects.get().pk}/change/"))
    assert "Integrity check failed" in page and "Women among" not in page


def test_a_score_of_other_references_is_shown_as_it_is_stored(
    ask: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    ask()
    monkeypatch.setattr("apps.insight.esg.admin.scores.REFERENCE", "2030.1")
    page = check_page(desk().get(f"/admin/esg/esgscore/{EsgScore.objects.get().pk}/change/"))
    assert "References 2026.1" in page and "revenue_usd" in page


def test_evidence_and_lookups_are_listed(ask: Callable[..., Any]) -> None:
    operator = desk("Operator")
    figure = Evidence.objects.filter(subject=MICROSOFT).earliest("pk")
    EsgLookup.objects.create(lei=MICROSOFT, name="Microsoft", asked_at=NOON, faults={"sec": "503"})
    assert MICROSOFT in check_page(operator.get("/admin/esg/evidence/?q=" + MICROSOFT))
    assert "sec.gov" in check_page(operator.get(f"/admin/esg/evidence/{figure.pk}/change/"))
    assert "503" in check_page(operator.get(f"/admin/esg/esglookup/{MICROSOFT}/change/"))
