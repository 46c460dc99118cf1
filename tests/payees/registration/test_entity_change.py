"""Another entity for a wallet: two people, a time to notice, and the same checks as for any."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from apps.backoffice.review.models import Case
from apps.backoffice.sar.models import SarEntry
from apps.compliance.payees.integrity import verify_all_registrations
from apps.compliance.payees.models import EntityChange, Registration
from apps.compliance.payees.problems import RegistrationRefused
from apps.compliance.payees.rules.submission_steps import COOLING_OFF
from apps.compliance.payees.services import entity_changes
from apps.platform.common.clock import now
from apps.platform.jobs import job_queue
from apps.platform.jobs.models import Job
from tests.payees.registration.conftest import LAPSED, MICROSOFT, NORTHWIND, wallet
from tests.review.people import at_desk, check_page, person

pytestmark = pytest.mark.django_db
Call = Callable[..., Any]
WHY = "The company was sold; the purchase contract was seen."
ADD = "/admin/registry/entitychange/add/"
REGISTER = "/admin/registry/registration/register/"


@pytest.fixture
def ruth(sample: Any) -> User:
    return person("ruth", "Registrar")


@pytest.fixture
def rolf(sample: Any) -> User:
    return person("rolf", "Registrar")


@pytest.fixture
def change(register: Call, ruth: User) -> EntityChange:
    """Ruth proposes Microsoft for a wallet of Northwind's."""
    register(aliases=["Northwind"])
    return proposed(ruth, MICROSOFT)


def proposed(by: User, entity: dict[str, str]) -> EntityChange:
    values = {"legal_name": entity["legalName"], "country": entity["country"]}
    return entity_changes.propose_entity_change(
        registration=Registration.objects.get(), lei=entity.get("lei", ""), reason=WHY, by=by,
        now=now(), **values,
    )  # fmt: skip


def later(change: EntityChange) -> Any:
    assert change.counts_from is not None
    return change.counts_from + timedelta(minutes=1)


def test_the_new_entity_counts_only_after_the_cooling_off(
    change: EntityChange, rolf: User, lookup: Call
) -> None:
    entity_changes.approve_entity_change(change=change, by=rolf, now=now())
    assert lookup(1)["legalName"] == NORTHWIND["legalName"]
    job = Job.objects.get(name=entity_changes.JOB)
    assert job.eta == change.counts_from == change.decided_at + COOLING_OFF  # type: ignore[operator]
    with pytest.raises(job_queue.RetryLater):
        entity_changes.apply_entity_change(
            str(change.pk), change.counts_from - timedelta(seconds=1)
        )
    assert lookup(1)["legalName"] == NORTHWIND["legalName"]
    for _ in range(2):
        entity_changes.apply_entity_change(str(change.pk), later(change))
    found = lookup(1)
    assert (found["legalName"], found["type"]) == ("Microsoft Corporation", "GLEIF_VERIFIED")
    row = Registration.objects.get()
    assert found["aliases"] == [] and row.effective_at == later(change)
    assert [event.action for event in row.events.order_by("pk")] == ["REGISTERED", "ENTITY"]
    assert list(verify_all_registrations(lambda done: None)) == []


def test_nobody_approves_an_own_proposal(change: EntityChange, ruth: User) -> None:
    with pytest.raises(
        entity_changes.EntityChangeConflict, match="Another registrar or a senior officer"
    ):
        entity_changes.approve_entity_change(change=change, by=ruth, now=now())
    assert not Job.objects.filter(name=entity_changes.JOB).exists()


def test_what_was_rejected_never_counts(change: EntityChange, rolf: User, lookup: Call) -> None:
    entity_changes.reject_entity_change(
        change=change, by=rolf, now=now(), note="The contract is not signed."
    )
    entity_changes.apply_entity_change(str(change.pk), now() + 2 * COOLING_OFF)
    assert lookup(1)["legalName"] == NORTHWIND["legalName"]


def test_a_wallet_that_was_deactivated_meanwhile_stays_so(
    change: EntityChange, rolf: User, rita: Any, lookup: Call
) -> None:
    entity_changes.approve_entity_change(change=change, by=rolf, now=now())
    rita.delete(f"/compliance/register/{wallet(1)}")
    entity_changes.apply_entity_change(str(change.pk), later(change))
    assert lookup(1) is None


@pytest.mark.parametrize(
    ("entity", "review", "logged"),
    [(LAPSED, True, 0), ({"legalName": "Lazarus Group", "country": "US"}, False, 1)],
)
def test_it_is_checked_as_it_takes_effect(
    register: Call, ruth: User, rolf: User, lookup: Call, entity: Any, review: bool, logged: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    register()
    with monkeypatch.context() as before:  # it came onto the lists only after the approval
        before.setattr(entity_changes, "validate_entity_change", lambda change, now: None)
        change = proposed(ruth, entity)
        entity_changes.approve_entity_change(change=change, by=rolf, now=now())
    for _ in range(2):
        entity_changes.apply_entity_change(str(change.pk), later(change))
    found = lookup(1)
    assert found["underReview"] is review and Case.objects.count() == int(review)
    assert SarEntry.objects.count() == logged
    assert (found["legalName"] == NORTHWIND["legalName"]) is bool(logged)


def test_what_that_entity_had_claimed_is_answered_by_the_change_and_no_other_claim(
    register: Call, ruth: User, rolf: User
) -> None:
    register()
    register(status=409, **MICROSOFT)
    register(status=409, legalName="Tern Bakery Holdings Limited", country="GB")
    change = proposed(ruth, MICROSOFT)
    entity_changes.approve_entity_change(change=change, by=rolf, now=now())
    assert set(Case.objects.values_list("status", flat=True)) == {"OPEN"}
    entity_changes.apply_entity_change(str(change.pk), later(change))
    claimed, other = Case.objects.order_by("pk")
    assert (claimed.status, other.status) == ("RETIRED", "OPEN")
    (event,) = claimed.events.filter(action="RETIRED")
    assert event.data["note"] == f"The wallet now belongs to that entity: change {change.pk}."


def test_a_change_that_is_refused_answers_no_claim(
    register: Call, ruth: User, rolf: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    register()
    register(status=409, **MICROSOFT)
    change = proposed(ruth, MICROSOFT)
    entity_changes.approve_entity_change(change=change, by=rolf, now=now())
    monkeypatch.setattr(entity_changes, "replace_entity", lambda **given: False)
    entity_changes.apply_entity_change(str(change.pk), later(change))
    assert Case.objects.get().status == "OPEN"


def test_a_second_proposal_waits_for_the_first_and_the_same_entity_is_none(
    change: EntityChange, ruth: User
) -> None:
    for entity in (LAPSED, NORTHWIND):
        with pytest.raises(entity_changes.EntityChangeConflict):
            proposed(ruth, entity)
    assert EntityChange.objects.count() == 1


def test_two_registrars_change_an_entity_at_the_desk(
    register: Call, ruth: User, rolf: User
) -> None:
    register()
    row, desk = Registration.objects.get(), at_desk(ruth)
    form = {"registration": row.pk, "legal_name": MICROSOFT["legalName"], "country": "US",
            "lei": MICROSOFT["lei"], "reason": WHY}  # fmt: skip
    shown = check_page(desk.post(ADD, form))
    assert "72 more hours" in shown and wallet(1) in shown and not EntityChange.objects.exists()
    seen = shown.partition('name="seen" value="')[2].partition('"')[0]
    assert desk.post(ADD, form | {"seen": seen}).status_code == 302
    change = EntityChange.objects.get()
    page = f"/admin/registry/entitychange/{change.pk}/"
    assert "Another registrar or a senior officer must" in check_page(desk.get(f"{page}change/"))
    other: Client = at_desk(rolf)
    assert "Entity change for" in check_page(other.get("/admin/"))
    other.post(f"{page}decide/", {"decision": "approve", "note": ""})
    change.refresh_from_db()
    assert change.state == "APPROVED"
    assert "takes effect on" in check_page(other.get(f"/admin/registry/registration/{row.pk}/"))


LISTED = {"legalName": "Lazarus Group", "country": "US"}


def form_of(entity: dict[str, str]) -> dict[str, Any]:
    row = Registration.objects.get()
    return {"registration": row.pk, "legal_name": entity["legalName"], "lei": "", "reason": WHY,
            "country": entity["country"]}  # fmt: skip


def test_a_listed_entity_is_refused_as_it_is_proposed_and_logged_once(
    register: Call, ruth: User
) -> None:
    register()
    desk = at_desk(ruth)
    for _ in range(2):
        assert "cannot be made" in check_page(desk.post(ADD, form_of(LISTED)))
    with pytest.raises(RegistrationRefused):
        proposed(ruth, LISTED)
    assert SarEntry.objects.count() == 1 and not EntityChange.objects.exists()


def test_one_that_was_listed_since_is_not_approved(
    register: Call, ruth: User, rolf: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    register()
    with monkeypatch.context() as before:
        before.setattr(entity_changes, "validate_entity_change", lambda change, now: None)
        change = proposed(ruth, LISTED)
    page = f"/admin/registry/entitychange/{change.pk}/"
    desk = at_desk(rolf)
    assert "It cannot be approved" in check_page(desk.get(f"{page}change/"))
    desk.post(f"{page}decide/", {"decision": "approve", "note": ""})
    change.refresh_from_db()
    assert change.state == "PROPOSED" and SarEntry.objects.count() == 1


def test_the_page_of_a_proposal_tells_what_lists_and_gleif_have_today(
    register: Call, ruth: User, rolf: User
) -> None:
    register(**LAPSED)  # a case of the wallet
    desk = at_desk(ruth)
    page = check_page(
        desk.post(ADD, form_of({"legalName": "Lazarus Funeral Group", "country": "US"}))
    )
    assert "For review" in page and "Lazarus Group" in page
    change = proposed(ruth, MICROSOFT)
    page = check_page(at_desk(rolf).get(f"/admin/registry/entitychange/{change.pk}/change/"))
    assert "No sanctions match for" in page
    assert "GLEIF has" in page and "the LEI is active" in page
    row = Registration.objects.get()
    assert f"/admin/registry/registration/{row.pk}/" in page
    assert f"Case {Case.objects.get().pk}" in page


def test_without_a_wallet_nothing_is_asked_and_the_list_has_no_button(
    register: Call, ruth: User
) -> None:
    register()
    desk = at_desk(ruth)
    for wrong in ("", "?registration=", "?registration=x", "?registration=999999"):
        answer = desk.get(f"{ADD}{wrong}", follow=True)
        assert "Choose the wallet first" in check_page(answer)
    assert ADD not in check_page(desk.get("/admin/registry/entitychange/"))
    assert 'name="legal_name"' in check_page(
        desk.get(f"{ADD}?registration={Registration.objects.get().pk}")
    )


def test_no_country_is_chosen_before_somebody_chose_one(register: Call, ruth: User) -> None:
    register()
    desk = at_desk(ruth)
    pages = (f"{ADD}?registration={Registration.objects.get().pk}", REGISTER)
    for page in pages:
        shown = check_page(desk.get(page))
        assert '<option value="" selected>Choose a country' in shown
        assert 'value="AF" selected' not in shown
    form = {"wallet_address": wallet(2), "legal_name": "Blue Heron Limited", "country": ""}
    assert "This field is required" in check_page(desk.post(REGISTER, form))
    answer = check_page(desk.post(ADD, form_of(MICROSOFT) | {"country": ""}))
    assert "This field is required" in answer and not EntityChange.objects.exists()
    assert Registration.objects.count() == 1
