"""The registrar's queue: what waits, since when, and what is to be done next."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from apps.backoffice.review.models import Case
from apps.compliance.payees import tasks
from apps.compliance.payees.models import Registration
from apps.compliance.payees.rules.next_steps import NEXT, WaitingRegistration, describe_next_step
from apps.reference.lei.models import LeiRecord
from tests.conftest import NOON
from tests.lei.changed_entities import restate
from tests.payees.registration.conftest import LAPSED, MICROSOFT, NORTHWIND, wallet
from tests.payees.registration.test_registration_case import decide
from tests.review.people import OFFICER, at_desk, check_page, person

pytestmark = pytest.mark.django_db
Call = Callable[..., Any]
PAGE = "/admin/registry/registration/waiting/"
QUERIES = 8  # of the page with session, user and menu; one more where LEIs are shown


@pytest.fixture
def registrar(sample: Any) -> Client:
    return at_desk(person("rita", "Registrar"))


def copies(count: int, **fields: Any) -> None:
    """Make as many registrations like the first one, each a minute later than the one before."""
    made = []
    for number in range(2, count + 2):
        row = Registration.objects.get(wallet=wallet(1))
        row.pk, row.wallet, row.wallet_key = None, wallet(number), wallet(number).lower()
        for name, at in fields.items():
            setattr(row, name, at + timedelta(minutes=number))
        made.append(row)
    Registration.objects.bulk_create(made)


def names(html: str) -> list[str]:
    return [part.partition("<")[0] for part in html.split("data-row>")[1:]]


def test_each_queue_has_its_own_and_counts_the_other(register: Call, registrar: Client) -> None:
    register(1, country="NP")
    register(2, **LAPSED)
    register(3, **MICROSOFT)
    review = check_page(registrar.get(PAGE))
    assert names(review) == [NORTHWIND["legalName"], LAPSED["legalName"]]
    assert "Under review <b>2</b>" in review and "LEIs not in force <b>1</b>" in review
    lapsed = check_page(registrar.get(PAGE, {"of": "lei"}))
    assert names(lapsed) == [LAPSED["legalName"]] and "lapsed" in lapsed


def test_the_oldest_stands_first_and_pages_follow_without_gap_or_twice(
    register: Call, registrar: Client, django_assert_num_queries: Any
) -> None:
    register(1, country="NP")
    Registration.objects.update(review_since=NOON)
    copies(60, review_since=NOON - timedelta(days=1))
    registrar.get(PAGE)
    with django_assert_num_queries(QUERIES):
        first = check_page(registrar.get(PAGE))
    after = first.partition("after=")[2].partition('"')[0]
    second = check_page(registrar.get(PAGE, {"after": after}))
    shown = [wallet(n) for n in range(2, 62)] + [wallet(1)]
    order = [one for one in shown if f'title="{one}"' in first]
    assert order == shown[:50] and "Next 50" in first
    assert [one for one in shown if f'title="{one}"' in second] == shown[50:]


def test_an_officer_is_led_to_the_case_and_a_registrar_is_told_why_it_waits(
    register: Call, registrar: Client
) -> None:
    register(country="NP")
    case = Case.objects.get()
    page_text = check_page(registrar.get(PAGE))
    assert (
        "High-risk country: Nepal" in page_text
        and f"/admin/review/case/{case.pk}/" not in page_text
    )
    assert "An officer decides its case" in page_text
    assert f"/admin/review/case/{case.pk}/" in check_page(
        at_desk(person("olivia", OFFICER)).get(PAGE)
    )


def test_a_decided_review_leaves_the_queue_and_the_lapsed_lei_stays_with_the_next_step(
    register: Call, registrar: Client
) -> None:
    register(**LAPSED)
    decide(Case.objects.get(), "APPROVE", "LEI_BEING_RENEWED")
    assert "No registration is under review." in check_page(registrar.get(PAGE))
    assert "Ask the entity to renew its LEI" in check_page(registrar.get(PAGE, {"of": "lei"}))


def test_an_lei_that_lapses_later_waits_from_that_look_on(
    register: Call, registrar: Client
) -> None:
    register(**MICROSOFT)
    begun = Registration.objects.get().lei_since
    restate(LeiRecord.objects.filter(lei=MICROSOFT["lei"]), registration_status="RETIRED")
    for hours in (24, 48):  # the second look finds the same, and changes nothing
        tasks.refresh_lei_statuses("", begun + timedelta(hours=hours))
    assert Registration.objects.get().lei_since == begun + timedelta(hours=24)
    assert "Ask who holds the wallet now" in check_page(registrar.get(PAGE, {"of": "lei"}))


@pytest.mark.parametrize(
    "query",
    [
        {"after": "x"},
        {"after": "1.x"},
        {"of": "?"},
        {"after": "9" * 30},
        {"after": f"{'9' * 18}.1"},  # microseconds far beyond the year 9999
    ],
)
def test_what_no_address_can_ask_for_is_the_beginning(
    register: Call, registrar: Client, query: dict[str, str]
) -> None:
    register(country="NP")
    assert names(check_page(registrar.get(PAGE, query))) == [NORTHWIND["legalName"]]


REACHED = [
    ("WAIT.1", WaitingRegistration("LAPSED", "AWAITING_SECOND")),
    ("WAIT.2", WaitingRegistration("LAPSED", "OPEN")),
    ("WAIT.3", WaitingRegistration("RETIRED", "", MICROSOFT["lei"])),
    ("WAIT.4", WaitingRegistration("RETIRED")),
    ("WAIT.5", WaitingRegistration("LAPSED")),
    ("WAIT.6", WaitingRegistration("UNVERIFIED")),
    ("WAIT.7", WaitingRegistration("ACTIVE")),
]


def test_each_row_of_next_steps_is_reached() -> None:
    codes = [next(r.code for r in NEXT if r.when(waits)) for _, waits in REACHED]
    assert codes == [code for code, _ in REACHED] == [rule.code for rule in NEXT]
    assert MICROSOFT["lei"] in describe_next_step(REACHED[2][1])
