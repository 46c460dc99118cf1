"""What an embargo forbids: who may let it through, and what is owed when it is refused."""

from collections.abc import Callable
from typing import Any

import pytest

from apps.backoffice.review import services
from apps.backoffice.review.models import Case
from apps.backoffice.sar.models import SarEntry
from apps.compliance.screening.rules import triage
from apps.compliance.screening.rules.facts import ScreenFacts
from apps.compliance.screening.rules.findings import RULES
from apps.compliance.screening.rules.owners import NodeFact
from apps.compliance.screening.rules.screen import Finding
from apps.platform.common.clock import now
from tests.review.people import NOTE, OFFICER, SENIOR, at_desk, check_page, person

Make = Callable[..., dict[str, Any]]
CRIMEA = {"address": "12 Lenin Street, Simferopol, Crimea"}
FORBIDDEN = [{"country": "CU"}, {"sourceCountry": "CU"}, CRIMEA, {"address": "Tehran, Iran"},
             {"address": "Havana, Cuba"}]  # fmt: skip
WATCHED = [{"country": "HT"}, {"country": "AF"}, {"address": "Port-au-Prince, Haiti"},
           {"address": "Yangon, Myanmar"}]  # fmt: skip


def opened(screen: Make, asked: dict[str, Any]) -> Case:
    assert screen(**asked)["decision"] == "FLAGGED"
    return Case.objects.get()


def decide(case: Case, by: Any, outcome: str, code: str) -> Case:
    case.refresh_from_db()
    given = {"outcome": outcome, "reason_code": code, "note": NOTE, "now": now()}
    return services.decide_case(case=case, by=by, **given)


def confirm(case: Case, by: Any, code: str) -> Case:
    return services.confirm_decision(case=case, by=by, reason_code=code, note=NOTE, now=now())


@pytest.mark.parametrize("asked", FORBIDDEN)
def test_a_licence_lets_it_through_and_two_officers_find_it(
    screen: Make, asked: dict[str, Any]
) -> None:
    one, olivia, samir = opened(screen, asked), person("olivia", OFFICER), person("samir", SENIOR)
    html = check_page(at_desk(olivia).get(f"/admin/review/case/{one.pk}/"))
    assert "a licence or exemption is established (say which)" in html
    assert "enhanced due diligence done" not in html
    with pytest.raises(services.InvalidDecision):
        decide(one, olivia, "APPROVE", "COUNTRY_EDD")
    first = decide(one, olivia, "APPROVE", "EMBARGO_LICENSED")
    # Iran is on FATF's call for action besides, which makes a case HIGH
    rule = "SECOND-1" if "Iran" in str(asked) else "SECOND-4"
    assert (first.status, first.second_rule) == ("AWAITING_SECOND", rule)
    assert confirm(first, samir, "EMBARGO_LICENSED").outcome == "APPROVE"
    assert not SarEntry.objects.exists()


@pytest.mark.parametrize("asked", WATCHED)
def test_a_country_that_is_only_watched_needs_no_licence(
    screen: Make, asked: dict[str, Any]
) -> None:
    one, olivia = opened(screen, asked), person("olivia", OFFICER)
    with pytest.raises(services.InvalidDecision):
        decide(one, olivia, "APPROVE", "EMBARGO_LICENSED")
    assert one.second_rule != "SECOND-4"
    assert decide(one, olivia, "REJECT", "COUNTRY_DECLINED").first_outcome == "REJECT"
    assert not SarEntry.objects.exists()


@pytest.mark.parametrize("asked", FORBIDDEN)
@pytest.mark.parametrize("code", ["EMBARGO_REFUSED", "OTHER"])
def test_what_is_refused_under_an_embargo_is_reported_to_ofac(
    screen: Make, asked: dict[str, Any], code: str
) -> None:
    one, olivia, samir = opened(screen, asked), person("olivia", OFFICER), person("samir", SENIOR)
    first = decide(one, olivia, "REJECT", code)
    assert not SarEntry.objects.exists()
    confirm(first, samir, code)
    entry = SarEntry.objects.get()
    assert entry.ref == one.ref and entry.data["sanctions"] is True
    assert entry.data["referred"]["by"] == "samir" and not entry.data["referred"]["matched"]
    assert "report, or record why not," in check_page(
        at_desk(samir).get(f"/admin/sar/sarentry/{entry.pk}/")
    )


def finding(code: str) -> Finding:
    rule = next(rule for rule in RULES if rule.code == code)
    return Finding(rule.code, rule.ref, rule.decision, 60, "…")


@pytest.mark.parametrize(
    ("code", "facts", "embargo"),
    [
        ("country.embargo", {}, True),
        ("country.address", {"address_embargoed": True}, True),
        ("country.address", {}, False),
        ("owner.country", {"nodes": (NodeFact("SUBJECT", "L", "A", 0, embargoed=True),)}, True),
        ("owner.country", {"nodes": (NodeFact("SUBJECT", "L", "A", 0),)}, False),
        ("owner.country", {"address_embargoed": True}, False),
        ("country.increased_monitoring", {"address_embargoed": True}, False),
    ],
)
def test_a_finding_is_of_the_embargo_where_one_forbids_it(
    code: str, facts: dict[str, Any], embargo: bool
) -> None:
    ref = triage.case_ref(finding(code), ScreenFacts(source="US", source_label="STANDARD", **facts))
    assert (ref == triage.EMBARGO_REF) is embargo
    assert embargo or ref == finding(code).ref


def test_the_rule_of_an_embargo_is_cited_as_the_table_has_it() -> None:
    assert finding("country.embargo").ref == triage.EMBARGO_REF
