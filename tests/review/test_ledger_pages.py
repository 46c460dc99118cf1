"""A step of a case in the ledger of decisions reads as words, and says where it is sealed."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User

from apps.backoffice.review import services
from apps.backoffice.review.models import Case, DecisionEvent
from apps.platform.ledger import retention, sealer
from apps.platform.ledger.models import PurgeReason
from tests.platform.tampering import sql, without_triggers
from tests.review.people import NOON, NOTE, approve, at_desk, case, check_page, confirm, person

pytestmark = pytest.mark.django_db
KEYS = ("reason_code", "digest&quot;", "with_case", "{&quot;", "&quot;overdue", "salt")


@pytest.fixture
def examiner(db: Any) -> Any:
    return at_desk(person("edgar", "Examiner"))


def pages(examiner: Any) -> dict[str, str]:
    """Return the page of every step, the last of each action."""
    rows = DecisionEvent.objects.order_by("pk").values_list("action", "pk")
    address = "/admin/review/decisionevent/{}/change/"
    return {action: check_page(examiner.get(address.format(pk))) for action, pk in rows}


def test_every_step_is_told_in_words(olivia: User, samir: User, sofia: User, examiner: Any) -> None:
    one, twin, late, aside = (case(n, risk="HIGH") for n in ("1", "2", "3", "4"))
    services.merge_case(
        duplicate=twin, into=one, by=olivia, note="The same invoice twice.", now=NOON
    )
    services.claim_case(case=late, by=olivia, now=NOON)
    services.release_case(case=late, by=olivia, now=NOON)
    services.snooze_case(case=aside, by=olivia, until=NOON + timedelta(days=2), note=NOTE, now=NOON)
    services.escalate_overdue_cases(now=NOON + timedelta(days=30))
    services.assign_case(case=Case.objects.get(pk=late.pk), to=olivia, by=samir, now=NOON)
    back = services.return_decision(
        case=approve(Case.objects.get(pk=one.pk), olivia), by=samir, note="Ask again.", now=NOON
    )
    confirm(approve(back, olivia), sofia)
    found = pages(examiner)
    said = {
        "OPENED": Case.objects.get(pk=aside.pk).facts_digest(),
        "CLAIMED": "Until 20 Nov 2026 12:30 UTC.",
        "SNOOZED": NOTE,
        "ESCALATED": "Was due",
        "ASSIGNED": "To olivia. Still overdue.",
        "PROPOSED": "Another party: only a common name agrees (FATF R.6)",
        "RETURNED": "Ask again.",
        "MERGED": f"Into case {one.pk}.",
        "DECIDED": f"Together with case {one.pk}.",
    }
    assert set(said) < set(found)
    for action, words in said.items():
        assert words in found[action], action
    for action, html in found.items():
        assert not [key for key in KEYS if key in html], action


def test_where_it_is_sealed_and_that_it_was_altered_is_told(olivia: User, examiner: Any) -> None:
    approve(case(), olivia)
    assert "Not sealed yet" in pages(examiner)["DECIDED"]
    sealer.seal_all_ledgers(now=NOON)
    assert "Sealed at position 2" in pages(examiner)["DECIDED"]
    with without_triggers():
        sql(f"UPDATE {DecisionEvent._meta.db_table} SET outcome = 'REJECT' WHERE outcome <> ''")
        html = pages(examiner)["DECIDED"]
    assert "Integrity check failed." in html


def test_a_payload_that_was_purged_says_so(olivia: User, examiner: Any) -> None:
    approve(case(), olivia)
    sealer.seal_all_ledgers(now=NOON)
    event = DecisionEvent.objects.get(action="DECIDED")
    told = {"reason": PurgeReason.ERASURE, "by": "dpo", "why": "Court order 7"}
    retention.purge_payload(ledger="decisions", record_id=event.pk, now=NOON, **told)
    html = pages(examiner)["DECIDED"]
    assert "The payload was purged" in html and NOTE not in html
    assert "Integrity check failed." not in html


def test_a_part_that_no_words_are_known_for_is_shown_all_the_same(examiner: Any) -> None:
    payload = {"digest": case().facts_digest(), "weather_there": "rain"}
    DecisionEvent.write(
        payload=payload, now=NOON, case=Case.objects.get(), action="CLAIMED", by=person("olga"),
        outcome="",
    )  # fmt: skip
    assert "Weather there: rain" in pages(examiner)["CLAIMED"]


@pytest.mark.parametrize(
    ("asked", "found"),
    [("case", 2), ("olivia", 1), ("nobody", 0), ("999999", 0), ("", 3)],
)
def test_steps_are_found_by_the_number_of_their_case_and_by_who_it_was(
    olivia: User, examiner: Any, asked: str, found: int
) -> None:
    one, _ = case("1"), case("2")
    services.claim_case(case=one, by=olivia, now=NOON)
    asked = str(one.pk) if asked == "case" else asked
    html = check_page(examiner.get(f"/admin/review/decisionevent/?q={asked}"))
    assert html.count('class="field-recorded_at') == found


def test_steps_are_narrowed_by_day_and_by_who_it_was(olivia: User, examiner: Any) -> None:
    services.claim_case(case=case("1"), by=olivia, now=NOON)
    html = check_page(examiner.get("/admin/review/decisionevent/"))
    assert "By recorded at" in html and "By who" in html
    html = check_page(examiner.get(f"/admin/review/decisionevent/?by__id__exact={olivia.pk}"))
    assert html.count('class="field-recorded_at') == 1
