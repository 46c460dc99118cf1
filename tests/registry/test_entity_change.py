"""Another entity for a wallet: two people, a time to notice, and the same checks as for any."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from apps.core import jobs
from apps.core.clock import now
from apps.core.models import Job
from apps.registry import changing
from apps.registry.models import EntityChange, Registration
from apps.registry.projection import compare
from apps.registry.rules.steps import COOLING_OFF
from apps.review.models import Case
from apps.sar.models import SarEntry
from tests.registry.conftest import LAPSED, MICROSOFT, NORTHWIND, wallet
from tests.review.people import at_desk, look, person

pytestmark = pytest.mark.django_db
Call = Callable[..., Any]
WHY = "The company was sold; the purchase contract was seen."
ADD = "/admin/registry/entitychange/add/"


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
    return changing.propose(
        registration=Registration.objects.get(), lei=entity.get("lei", ""), reason=WHY, by=by,
        now=now(), **values,
    )  # fmt: skip


def later(change: EntityChange) -> Any:
    assert change.counts_from is not None
    return change.counts_from + timedelta(minutes=1)


def test_the_new_entity_counts_only_after_the_cooling_off(
    change: EntityChange, rolf: User, lookup: Call
) -> None:
    changing.approve(change=change, by=rolf, now=now())
    assert lookup(1)["legalName"] == NORTHWIND["legalName"]
    job = Job.objects.get(name=changing.JOB)
    assert job.eta == change.counts_from == change.decided_at + COOLING_OFF  # type: ignore[operator]
    with pytest.raises(jobs.Again):
        changing.take_effect(str(change.pk), change.counts_from - timedelta(seconds=1))
    assert lookup(1)["legalName"] == NORTHWIND["legalName"]
    for _ in range(2):
        changing.take_effect(str(change.pk), later(change))
    found = lookup(1)
    assert (found["legalName"], found["type"]) == ("Microsoft Corporation", "GLEIF_VERIFIED")
    row = Registration.objects.get()
    assert found["aliases"] == [] and row.effective_at == later(change)
    assert [one.action for one in row.events.order_by("pk")] == ["REGISTERED", "ENTITY"]
    assert list(compare(lambda done: None)) == []


def test_nobody_approves_an_own_proposal(change: EntityChange, ruth: User) -> None:
    with pytest.raises(changing.Contradiction, match="Another registrar"):
        changing.approve(change=change, by=ruth, now=now())
    assert not Job.objects.filter(name=changing.JOB).exists()


def test_what_was_rejected_never_counts(change: EntityChange, rolf: User, lookup: Call) -> None:
    changing.reject(change=change, by=rolf, now=now(), note="The contract is not signed.")
    changing.take_effect(str(change.pk), now() + 2 * COOLING_OFF)
    assert lookup(1)["legalName"] == NORTHWIND["legalName"]


def test_a_wallet_that_was_deactivated_meanwhile_stays_so(
    change: EntityChange, rolf: User, rita: Any, lookup: Call
) -> None:
    changing.approve(change=change, by=rolf, now=now())
    rita.delete(f"/compliance/register/{wallet(1)}")
    changing.take_effect(str(change.pk), later(change))
    assert lookup(1) is None


@pytest.mark.parametrize(
    ("entity", "review", "logged"),
    [(LAPSED, True, 0), ({"legalName": "Lazarus Group", "country": "US"}, False, 1)],
)
def test_it_is_checked_as_it_takes_effect(
    register: Call, ruth: User, rolf: User, lookup: Call, entity: Any, review: bool, logged: int
) -> None:
    register()
    change = proposed(ruth, entity)
    changing.approve(change=change, by=rolf, now=now())
    for _ in range(2):
        changing.take_effect(str(change.pk), later(change))
    found = lookup(1)
    assert found["underReview"] is review and Case.objects.count() == int(review)
    assert SarEntry.objects.count() == logged
    assert (found["legalName"] == NORTHWIND["legalName"]) is bool(logged)


def test_a_second_proposal_waits_for_the_first_and_the_same_entity_is_none(
    change: EntityChange, ruth: User
) -> None:
    for entity in (LAPSED, NORTHWIND):
        with pytest.raises(changing.Contradiction):
            proposed(ruth, entity)
    assert EntityChange.objects.count() == 1


def test_two_registrars_change_an_entity_at_the_desk(
    register: Call, ruth: User, rolf: User
) -> None:
    register()
    row, desk = Registration.objects.get(), at_desk(ruth)
    form = {"registration": row.pk, "legal_name": MICROSOFT["legalName"], "country": "US",
            "lei": MICROSOFT["lei"], "reason": WHY}  # fmt: skip
    shown = look(desk.post(ADD, form))
    assert "72 more hours" in shown and wallet(1) in shown and not EntityChange.objects.exists()
    seen = shown.partition('name="seen" value="')[2].partition('"')[0]
    assert desk.post(ADD, form | {"seen": seen}).status_code == 302
    change = EntityChange.objects.get()
    page = f"/admin/registry/entitychange/{change.pk}/"
    assert "Another registrar must" in look(desk.get(f"{page}change/"))
    other: Client = at_desk(rolf)
    assert "Another entity for" in look(other.get("/admin/"))
    other.post(f"{page}decide/", {"decision": "approve", "note": ""})
    change.refresh_from_db()
    assert change.state == "APPROVED"
    assert "counts from" in look(other.get(f"/admin/registry/registration/{row.pk}/"))
