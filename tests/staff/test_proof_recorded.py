"""When and how an officer proved who they are before a HIGH approval stands with the decision."""

from typing import Any

import pytest
from django.test import Client

from apps.backoffice.review import services
from apps.backoffice.review.models import BulkClear, Case, DecisionEvent
from apps.platform.ledger import sealer
from apps.platform.ledger.verification import verifier
from tests.review.people import NOON, case, check_page
from tests.staff.people import Clock, code_of, sign_in, staff, with_app
from tests.staff.test_step_up import GO_ON, Hidden, confirm, senior, waiting

pytestmark = pytest.mark.django_db
NOTE = "Read the passport of the party again."


def proof(action: str = "DECIDED") -> Any:
    """Return what the last step of that action recorded of the proof."""
    return DecisionEvent.objects.filter(action=action).latest("pk").data.get("proof")


def sheet(client: Client, one: Case) -> str:
    return check_page(client.get(f"/admin/review/case/{one.pk}/evidence/"))


def told(clock: Clock, how: str) -> str:
    return f"Identity confirmed again: {how}, {clock.moment:%d %b %Y %H:%M:%S} UTC."


def test_the_code_that_was_asked_before_a_high_approval_is_on_record_and_on_the_sheet(
    clock: Clock, client: Client
) -> None:
    one = waiting()
    secret, _ = with_app(staff("samir", "Senior officer"), clock.moment)
    sign_in(client, "samir")
    client.post("/admin/account/second/", {"code": code_of(secret, clock.moment)})
    clock.on(minutes=6)
    place = confirm(client, one)["Location"]
    client.post(place, {"code": code_of(secret, clock.moment)})
    proved = told(clock, "authenticator app")
    at = clock.moment.isoformat().replace("+00:00", "Z")
    form = Hidden(check_page(client.get(GO_ON)))
    clock.on(minutes=3)
    client.post(form.action, form.fields)
    found = proof()
    assert found["how"] == "authenticator app" and found["at"].startswith(at[:19])
    assert proved in sheet(client, one)
    assert proved in check_page(client.get(f"/admin/review/case/{one.pk}/"))
    sealer.seal_all_ledgers(now=NOON)
    assert verifier.verify_ledger(ledger="decisions").faults == []


def test_who_signed_in_a_moment_ago_proved_it_by_that(clock: Clock, client: Client) -> None:
    one, desk = waiting(), senior(clock, client)
    proved = told(clock, "password")
    clock.on(minutes=4)
    confirm(desk, one)
    assert proof()["how"] == "Password" and proved in sheet(desk, one)


def test_the_first_approval_records_its_own(clock: Clock, client: Client) -> None:
    one, desk = case("one", risk="HIGH", evidence={}), senior(clock, client)
    typed = {"outcome": "APPROVE", "reason_APPROVE": "NAME_ONLY", "note": NOTE}
    desk.post(f"/admin/review/case/{one.pk}/decide/", typed)
    assert proof("PROPOSED")["how"] == "Password"
    assert sheet(desk, one).count("Identity confirmed again") == 1


@pytest.mark.parametrize(
    ("risk", "outcome", "code"), [("MEDIUM", "APPROVE", "NAME_ONLY"), ("HIGH", "REJECT", "OTHER")]
)
def test_where_none_is_asked_none_is_told(
    clock: Clock, client: Client, risk: str, outcome: str, code: str
) -> None:
    one, desk = case("one", risk=risk, evidence={}), senior(clock, client)
    typed = {"outcome": outcome, f"reason_{outcome}": code, "note": NOTE}
    desk.post(f"/admin/review/case/{one.pk}/decide/", typed)
    one.refresh_from_db()
    assert one.first_outcome == outcome
    assert "Identity confirmed again" not in sheet(desk, one)


def test_each_case_that_is_cleared_together_with_a_high_one_has_it(
    clock: Clock, client: Client
) -> None:
    made = [case(n) for n in ("one", "two")]
    grave, olivia = case("three", risk="HIGH"), staff("olivia")
    bulk = services.propose_bulk_clear(
        cases=made, by=olivia, reason_code="NAME_ONLY", note=NOTE, now=NOON
    )
    Case.objects.filter(pk=grave.pk).update(merged_into=made[0])
    DecisionEvent.write(
        payload={"into": made[0].pk, "note": NOTE}, now=NOON, case=grave, action="MERGED",
        by=olivia, outcome="",
    )  # fmt: skip
    desk = senior(clock, client)
    numbers = [one.pk for one in made]
    typed = {"case": numbers, "seen": numbers, "reason": "NAME_ONLY", "note": NOTE}
    answer = desk.post(f"/admin/review/case/bulk/{BulkClear.objects.get(pk=bulk.pk).pk}/confirm/",
                       typed)  # fmt: skip
    assert answer.status_code == 302
    ended = DecisionEvent.objects.filter(action="DECIDED")
    assert ended.count() == 3 and all(event.data["proof"]["how"] == "Password" for event in ended)
