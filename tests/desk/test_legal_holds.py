"""Legal holds and purges at the desk: only on ledgers that the reader may know of."""

import re
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.conf import settings
from django.test import Client
from django.utils.text import slugify

from apps.backoffice.oversight.models import ReadEvent
from apps.backoffice.review.models import DecisionEvent
from apps.backoffice.sar.models import SarEntry, SarRead
from apps.compliance.screening.models import Screen
from apps.platform.ledger import retention, sealer
from apps.platform.ledger.models import HoldEvent, LegalHold, PurgeReason
from config.desk_roles import ROLES
from tests.review.people import NOON, OFFICER, SENIOR, approve, at_desk, case, check_page, person

pytestmark = pytest.mark.django_db
HOLDS, PURGES = "/admin/core/legalhold/", "/admin/core/purgeevent/"


@pytest.fixture
def samir() -> Client:
    return at_desk(person("samir", SENIOR))


@pytest.fixture
def edgar() -> Client:
    return at_desk(person("edgar", "Examiner"))


def event() -> int:
    case(evidence={})
    return DecisionEvent.objects.get().pk


def place(client: Client, record: Any, ledger: str = "decisions", reason: str = "") -> Any:
    given = {"record": f"{ledger}:{record}", "reason": reason or "Court order 12/26"}
    return client.post(f"{HOLDS}place/", given)


def test_a_hold_is_placed_shown_and_lifted(samir: Client) -> None:
    assert place(samir, event()).status_code == 302
    hold = LegalHold.objects.get()
    assert (hold.placed_by, hold.reason) == ("samir", "Court order 12/26")
    assert "Court order 12/26" in check_page(samir.get(HOLDS))
    lift = f"{HOLDS}{hold.pk}/lift/"
    for short in ("", "too short"):
        assert "Give the reason for lifting the hold" in check_page(
            samir.post(lift, {"reason": short}), 400
        )
    assert samir.post(lift, {"reason": "The case was closed"}).status_code == 302
    hold.refresh_from_db()
    assert (hold.lifted_by, hold.lifted_why) == ("samir", "The case was closed")
    html = check_page(samir.get(HOLDS))
    assert "No active holds" in html and "The case was closed" in html
    samir.post(lift, {"reason": "The case was closed"})
    assert "already been lifted" in check_page(samir.get(HOLDS))


@pytest.mark.parametrize(
    ("record", "ledger", "reason", "told"),
    [
        (999_999, "decisions", "", "The ledger decisions has no record 999999"),
        (999_999, "review.case", "", "There is no such record"),
        (1, "purges", "", "There is no such record"),
        (1, "nothing", "", "There is no such record"),
        ("1x", "decisions", "", "There is no such record"),
        (1, "decisions", "too short", "at least 10 characters"),
    ],
)
def test_a_hold_on_what_is_not_there_is_refused(
    samir: Client, record: Any, ledger: str, reason: str, told: str
) -> None:
    given = {"record": f"{ledger}:{record}", "reason": reason or "Court order 12/26"}
    answer = samir.post(f"{HOLDS}place/", given | {"find": "Haddad"})
    assert told in check_page(answer, answer.status_code)
    assert answer.status_code in (400, 404) and not LegalHold.objects.exists()


@pytest.mark.parametrize("text", ["Haddad", "case {case}", "REF-1"])
def test_a_record_is_found_picked_and_held(samir: Client, text: str) -> None:
    new_case = case(evidence={})
    asked = text.format(case=new_case.pk)
    html = check_page(samir.get(HOLDS, {"find": asked}))
    picked = re.search(r'name="record" value="([^"]+)"', html)
    assert picked and "Reason for the hold" in html
    assert f'data-draft="hold-{slugify(asked)}"' in html
    given = {"find": asked, "record": picked[1], "reason": "Court order 12/26"}
    assert samir.post(f"{HOLDS}place/", given).status_code == 302
    assert LegalHold.objects.get().record_id == new_case.events.get().pk
    html = check_page(samir.get(HOLDS))
    assert f"stored-hold-{slugify(asked)}" in html, "the browser's draft of the reason may go"
    assert f'<a href="/admin/review/case/{new_case.pk}/">Case {new_case.pk}</a>' in html
    assert "Haddad" not in html


def test_a_reason_that_lifts_nothing_is_given_back_whole(samir: Client) -> None:
    place(samir, event())
    hold = LegalHold.objects.get()
    long = "The case was closed. " * 30
    html = check_page(samir.post(f"{HOLDS}{hold.pk}/lift/", {"reason": long}), 400)
    assert f">{long.strip()}</textarea>" in html and "<details open>" in html
    assert f"It has {len(long.strip())} characters: at most 500 are kept" in html
    assert "maxlength" not in html.split("Lift…")[1]
    hold.refresh_from_db()
    assert hold.lifted_at is None


def test_operators_are_told_who_lifts_a_hold_and_how() -> None:
    text = (settings.BASE_DIR / "docs" / "operations.md").read_text()
    text = " ".join(text.partition("## Retention, holds")[2].partition("\n## ")[0].split())
    lifts = [name for name, may in ROLES.items() if "core.lift_legalhold" in may]
    reads = [name for name, may in ROLES.items() if "core.view_legalhold" in may]
    assert lifts == ["Senior officer"] and reads == ["Senior officer", "Examiner"]
    for words in ("every senior officer places and lifts", "Examiners see current holds"):
        assert words in text
    assert "legal_hold lift NUMBER --reason … --by NAME" in text


def test_a_case_is_held_with_all_its_steps_and_released_in_one_go(samir: Client) -> None:
    one = approve(case(evidence={}, risk="HIGH"), person("olivia", OFFICER))
    other = case("2", evidence={})
    place(samir, one.pk, "review.case"), place(samir, other.pk, "review.case")
    assert LegalHold.objects.count() == 3
    assert "2 records of the ledger" in check_page(samir.get(HOLDS))
    hold = LegalHold.objects.order_by("pk")[0]
    samir.post(f"{HOLDS}{hold.pk}/lift/", {"reason": "The case was closed"})
    standing = LegalHold.objects.get(lifted_at=None)
    assert standing.record_id == other.events.get().pk
    assert HoldEvent.objects.filter(action="LIFTED").count() == 2


def test_a_refusal_keeps_what_was_found_and_typed(samir: Client) -> None:
    new_case = case(evidence={})
    given = {"find": "Haddad", "record": f"review.case:{new_case.pk}", "reason": "short"}
    html = check_page(samir.post(f"{HOLDS}place/", given), 400)
    assert (
        ">short</textarea>" in html
        and f'value="review.case:{new_case.pk}" required checked' in html
    )
    html = check_page(
        samir.post(f"{HOLDS}place/", given | {"record": "", "reason": "Court order"}), 400
    )
    assert "Choose the record to put on hold." in html


def test_looking_for_a_record_is_on_record_as_every_search_is(samir: Client) -> None:
    case(evidence={})
    samir.get(HOLDS)
    assert not ReadEvent.objects.exists()
    samir.get(HOLDS, {"find": "Haddad"})
    # whoever sees the SAR log looked in it too: what was looked for is told in its own log alone
    assert [
        read_event.data["query"] for read_event in ReadEvent.objects.filter(what="review.case")
    ] == [""]
    assert {sar_read.data["query"] for sar_read in SarRead.objects.all()} == {"find=Haddad"}


def test_many_holds_are_paged_and_told_in_as_many_queries_as_few(
    samir: Client, django_assert_max_num_queries: Any
) -> None:
    step = event()
    for number in range(130):
        retention.place_hold(
            ledger="decisions", record_id=step, reason="Court", by=f"officer {number}", now=NOON
        )
    with django_assert_max_num_queries(8):
        html = check_page(samir.get(HOLDS))
    assert html.count("Lift hold</button>") == 100 and "Earlier holds" in html
    older = re.search(r'href="\?before=(\d+)"', html)
    assert older
    html = check_page(samir.get(HOLDS, {"before": older[1]}))
    assert html.count("Lift hold</button>") == 30 and "Earlier holds" not in html


def test_an_examiner_sees_holds_and_places_none(edgar: Client) -> None:
    record = event()
    retention.place_hold(ledger="decisions", record_id=record, reason="Court", by="x", now=NOON)
    html = check_page(edgar.get(HOLDS))
    assert "Court" in html and "Find record" not in html and "Lift" not in html
    assert place(edgar, record).status_code == 403


def test_holds_and_purges_of_the_sar_log_are_seen_by_those_who_may_know_of_it(
    samir: Client, edgar: Client
) -> None:
    entry = SarEntry.write(payload={"party": "Boris"}, now=NOON, kind="screen", ref="1")
    other = SarEntry.write(payload={"party": "Igor"}, now=NOON, kind="screen", ref="2")
    sealer.seal_all_ledgers(now=NOON)
    assert place(samir, entry.pk, "sar").status_code == 302
    given = {"reason": PurgeReason.ERASURE, "by": "samir", "why": "7/26"}
    retention.purge_payload(ledger="sar", record_id=other.pk, now=NOON, **given)
    hold = LegalHold.objects.get()
    assert f"SAR log entry {entry.pk}" in check_page(samir.get(HOLDS))
    for address in (HOLDS, PURGES):
        html = check_page(edgar.get(address))
        assert "Court order" not in html and ">sar<" not in html and f"entry {entry.pk}" not in html
    vera = at_desk(_lifter())
    assert vera.post(f"{HOLDS}{hold.pk}/lift/").status_code == 404


def _lifter() -> Any:
    """Somebody who may lift holds, and knows nothing of the log."""
    from django.contrib.auth.models import Permission

    vera = person("vera")
    permissions = Permission.objects.filter(codename__in=("lift_legalhold", "view_legalhold"))
    vera.user_permissions.set(permissions)
    return vera


def test_a_hold_on_a_case_holds_the_steps_that_come_later(samir: Client) -> None:
    new_case = case(evidence={}, now=NOON)
    place(samir, new_case.pk, "review.case")
    approve(new_case, person("olivia", OFFICER))
    free = approve(case("2", evidence={}), person("ben", OFFICER))
    later, other = new_case.events.get(action="DECIDED"), free.events.get(action="DECIDED")
    sealer.seal_all_ledgers(now=NOON)
    old = NOON + timedelta(days=366 * 11)
    assert set(retention.find_expired_records(ledger="decisions", now=old)) == set(
        free.events.values_list("pk", flat=True)
    )
    given = {"ledger": "decisions", "reason": PurgeReason.ERASURE, "by": "x", "why": "7/26"}
    with pytest.raises(retention.RecordOnHold):
        retention.purge_payload(record_id=later.pk, now=NOON, **given)
    assert retention.purge_payload(record_id=other.pk, now=NOON, **given)
    hold = LegalHold.objects.get()
    samir.post(f"{HOLDS}{hold.pk}/lift/", {"reason": "The case was closed"})
    assert later.pk in set(retention.find_expired_records(ledger="decisions", now=old))


def test_a_hold_on_a_case_holds_its_screen_and_is_told_and_lifted_as_one(samir: Client) -> None:
    number = uuid4()
    columns = {"owner": "account:1", "decision": "FLAGGED", "risk_score": 61, "sample": False}
    kept = Screen.write(payload={}, now=NOON, screen_id=number, lists="", **columns)
    new_case = case(str(number), evidence={})
    place(samir, new_case.pk, "review.case")
    assert set(LegalHold.objects.values_list("ledger", "record_id")) == {
        ("screens", kept.pk),
        ("decisions", new_case.events.get().pk),
    }
    html = check_page(samir.get(HOLDS))
    assert html.count("Lift hold</button>") == 1 and f">Case {new_case.pk}</a>" in html
    assert "1 record of the ledger “screens”" in html
    hold = re.search(rf'action="{HOLDS}(\d+)/lift/"', html)
    assert hold
    samir.post(f"{HOLDS}{hold[1]}/lift/", {"reason": "The case was closed"})
    assert not LegalHold.objects.filter(lifted_at=None).exists()


@pytest.mark.parametrize("production", [True, False])
def test_in_production_another_person_than_who_placed_a_hold_lifts_it(
    samir: Client, settings: Any, production: bool
) -> None:
    place(samir, event())
    lift = f"{HOLDS}{LegalHold.objects.get().pk}/lift/"
    settings.PRODUCTION = production
    answer = samir.post(lift, {"reason": "The case was closed"})
    if not production:
        assert answer.status_code == 302 and LegalHold.objects.get().lifted_by == "samir"
        return
    assert "another person must lift it" in check_page(answer, 409)
    assert LegalHold.objects.get().lifted_at is None
    sofia = at_desk(person("sofia", SENIOR))
    assert sofia.post(lift, {"reason": "The case was closed"}).status_code == 302
    assert LegalHold.objects.get().lifted_by == "sofia"
