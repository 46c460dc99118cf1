"""What somebody altered in the database is neither told, nor changed, nor borne out by us."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import IntegrityError
from rest_framework.test import APIClient

from apps.backoffice.review import services
from apps.backoffice.review.models import Case
from apps.compliance.payees import tasks
from apps.compliance.payees.integrity import verify_all_registrations
from apps.compliance.payees.models import Registration, RegistrationEvent
from apps.compliance.payees.models.registrations import name_key
from apps.compliance.payees.selectors.registrations import RegistrationIntegrityError
from apps.reference.lei.models import LeiRecord
from tests.api.endpoint_walk import payer
from tests.conftest import NOON
from tests.lei.changed_entities import restate
from tests.payees.registration.conftest import LAPSED, NORTHWIND, wallet
from tests.review.people import OFFICER, person

pytestmark = pytest.mark.django_db
Call = Callable[..., Any]
CROOK = "Crook Trading Limited"
HERE = f"/compliance/register/{wallet(1)}"


@pytest.fixture
def altered(register: Call) -> None:
    register(**LAPSED)
    Registration.objects.update(legal_name=CROOK, name_key=name_key(CROOK))


def unproved(answer: Any) -> bool:
    return bool(answer.status_code == 503 and answer.json()["code"] == "registration_unproved")


def nothing_written() -> bool:
    return RegistrationEvent.objects.count() == 1 and bool(
        list(verify_all_registrations(lambda done: None))
    )


@pytest.mark.parametrize("fields", [{"country": "IE"}, {"country": "GB"}, {"aliases": ["Crook"]}])
def test_another_submission_bears_no_altered_name_out(
    altered: None, rita: APIClient, fields: dict[str, Any]
) -> None:
    body = {"walletAddress": wallet(1), "legalName": CROOK, "country": "IE"} | fields
    assert unproved(rita.post("/compliance/register", body, format="json"))
    assert nothing_written()


def test_it_is_not_deactivated_either(altered: None, rita: APIClient) -> None:
    assert unproved(rita.delete(HERE)) and nothing_written()


def test_readers_are_told_no_altered_name(altered: None, api: APIClient) -> None:
    for path in (f"vop/lookup/{wallet(1)}", f"lei/{LAPSED['lei']}"):
        answer = api.get(f"/compliance/{path}")
        assert unproved(answer) and CROOK not in answer.content.decode()


def test_no_decision_bears_it_out(altered: None) -> None:
    olivia = person("olivia", OFFICER)
    with pytest.raises(RegistrationIntegrityError):
        services.decide_case(
            case=Case.objects.get(),
            by=olivia,
            outcome="APPROVE",
            reason_code="LEI_BEING_RENEWED",
            note="The renewal was seen at GLEIF today.",
            now=NOON,
        )
    assert Case.objects.get().status == "OPEN" and nothing_written()


def test_the_daily_look_at_leis_passes_it_by_and_looks_at_the_others(register: Call) -> None:
    register(1, **LAPSED)
    register(2, **LAPSED)
    first, second = Registration.objects.order_by("pk")
    Registration.objects.filter(pk=first.pk).update(legal_name=CROOK)
    restate(LeiRecord.objects.filter(lei=LAPSED["lei"]), registration_status="RETIRED")
    tasks.refresh_lei_statuses("", NOON)
    assert [one.events.count() for one in (first, second)] == [1, 2]


def test_one_that_is_as_recorded_is_told_in_two_queries_more(
    register: Call, api: APIClient, django_assert_max_num_queries: Any
) -> None:
    for number in (1, 2, 3):
        register(number, **LAPSED)
    with django_assert_max_num_queries(7):
        assert len(api.get(f"/compliance/lei/{LAPSED['lei']}").json()["wallets"]) == 3
    assert NORTHWIND["legalName"] != LAPSED["legalName"]


def test_a_registration_that_was_ended_in_the_database_does_not_lift_the_stop(
    register: Call, api: APIClient, rita: APIClient
) -> None:
    register()
    Registration.objects.update(active=False, ended_at=NOON)
    assert unproved(api.get(f"/compliance/vop/lookup/{wallet(1)}"))
    body = {"walletAddress": wallet(1), "submittedName": CROOK}
    answer = payer("Alice Ltd").post("/compliance/vop/verify", body, format="json")
    assert unproved(answer)


def test_a_wallet_that_we_ended_is_told_as_not_registered(
    register: Call, api: APIClient, rita: APIClient
) -> None:
    register()
    rita.delete(HERE)
    assert api.get(f"/compliance/vop/lookup/{wallet(1)}").status_code == 404


def moved() -> None:
    Registration.objects.update(wallet=wallet(9), wallet_key=wallet(9).lower())


def deleted() -> None:
    Registration.objects.all().delete()


@pytest.mark.parametrize("gone", [moved, deleted])
def test_a_registration_that_left_its_wallet_in_the_database_does_not_lift_the_stop(
    register: Call, api: APIClient, rita: APIClient, gone: Call
) -> None:
    register()
    gone()
    assert unproved(api.get(f"/compliance/vop/lookup/{wallet(1)}"))
    verify = {"walletAddress": wallet(1), "submittedName": CROOK}
    paid = payer("Alice Ltd").post("/compliance/vop/verify", verify, format="json")
    assert unproved(paid)
    anew = {"walletAddress": wallet(1), "legalName": CROOK, "country": "IE"}
    assert unproved(rita.post("/compliance/register", anew, format="json"))
    assert unproved(rita.delete(HERE)) and RegistrationEvent.objects.count() == 1
    assert api.get(f"/compliance/vop/lookup/{wallet(7)}").status_code == 404


def test_an_end_that_somebody_made_up_is_none(register: Call, api: APIClient) -> None:
    register()
    row = Registration.objects.get()
    deleted()
    RegistrationEvent.objects.create(
        payload="{}", salt="0", recorded_at=NOON, registration_id=row.pk, action="DEACTIVATED",
        wallet=row.wallet, mac="0" * 64, mac_key="1",
    )  # fmt: skip
    assert unproved(api.get(f"/compliance/vop/lookup/{wallet(1)}"))


def test_the_copy_of_an_earlier_event_is_refused_by_the_database(
    register: Call, rita: APIClient
) -> None:
    register()
    first = RegistrationEvent.objects.get()
    rita.delete(HERE)
    first.pk = None
    with pytest.raises(IntegrityError):
        RegistrationEvent.objects.bulk_create([first])
