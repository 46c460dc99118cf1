"""The first stage of a matter says who brought it into the log."""

from typing import Any

import pytest

from apps.backoffice.review import services
from apps.backoffice.sar.models import SarEntry
from apps.backoffice.sar.views.matter_stages import describe_referrer
from tests.review.people import (
    NOON,
    NOTE,
    OFFICER,
    SENIOR,
    approve,
    at_desk,
    case,
    check_page,
    person,
)
from tests.sar.matters import matter


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ({"party": "A"}, "by the system"),
        ({"referred": {"by": "olivia", "reason": "", "matched": False}}, "referred by olivia"),
        ({"referred": {"by": "olivia", "reason": "Listed"}}, "by the decision of olivia"),
        ({}, "by whom was purged"),
    ],
)
def test_it_says_who_found_it(data: dict[str, Any], said: str) -> None:
    assert describe_referrer(data) == said


def stage_of(entry: SarEntry) -> str:
    html = check_page(at_desk(person("samir", SENIOR)).get(f"/admin/sar/sarentry/{entry.pk}/"))
    return html.partition("1 Detected")[2].partition("</li>")[0]


def test_a_decision_is_told_as_one(db: Any) -> None:
    olivia = person("olivia", OFFICER)
    approve(case("1"), olivia, outcome="REJECT", reason_code="LISTED_PARTY")
    assert "by the decision of olivia" in stage_of(SarEntry.objects.get())


def test_a_referral_is_told_as_one(db: Any) -> None:
    services.refer_to_sar_log(case=case("2"), by=person("olivia", OFFICER), note=NOTE, now=NOON)
    assert "referred by olivia" in stage_of(SarEntry.objects.get())


def test_what_the_system_blocked_is_told_so(db: Any) -> None:
    assert "by the system" in stage_of(matter(sanctions=False))
