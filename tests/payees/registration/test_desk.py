"""The registrar at the desk: finds, reads, registers, upgrades and ends, each step recorded."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from apps.backoffice.sar.models import SarEntry
from apps.compliance.payees.models import Registration, RegistrationEvent
from tests.payees.registration.conftest import LAPSED, MICROSOFT, NORTHWIND, wallet
from tests.review.people import OFFICER, at_desk, check_page, person

pytestmark = pytest.mark.django_db
Call = Callable[..., Any]
LIST = "/admin/registry/registration/"
FORM = {
    "wallet_address": wallet(7).lower(),
    "legal_name": "Blue Heron Stationery Limited",
    "country": "GB",
    "lei": "",
    "aliases": "Blue Heron\n\n",
}


@pytest.fixture
def registrar(sample: Any) -> Client:
    return at_desk(person("rita", "Registrar"))


def page(row: Registration) -> str:
    return reverse("admin:registry_registration_change", args=[row.pk])


def test_the_list_is_narrowed_by_wallet_name_lei_and_state(
    register: Call, registrar: Client, rita: Any
) -> None:
    register(1, **MICROSOFT)
    register(2, **LAPSED)
    register(3)
    rita.delete(f"/compliance/register/{wallet(3)}")
    names = ("Microsoft Corporation", LAPSED["legalName"], NORTHWIND["legalName"])

    def shown(**query: str) -> list[str]:
        html = check_page(registrar.get(LIST, query))
        return [name for name in names if f">{name}</a>" in html]

    assert shown() == list(names)
    assert shown(q=wallet(1).lower()) == ["Microsoft Corporation"]
    assert shown(q="micro") == ["Microsoft Corporation"]
    assert shown(q=MICROSOFT["lei"].lower()) == ["Microsoft Corporation"]
    assert shown(state="lapsed") == shown(state="review") == [LAPSED["legalName"]]
    assert shown(state="ended") == [NORTHWIND["legalName"]]
    assert shown(type="SELF_DECLARED") == [NORTHWIND["legalName"]]
    assert shown(q="nobody of that name") == []


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("café nord", True),
        ("CAFÉ", True),
        ("mannheim", True),
        (wallet(171)[-6:], True),
        (wallet(171)[-4:].upper(), True),
        (wallet(171)[-3:], False),  # fewer than four digits are anybody's
        ("0x0000…00ab", True),
        ("0x0000...00AB", True),
        ("0x0000 … 00ab", True),
        ("0x0001…00ab", False),
        ("0x0000…00ac", False),
    ],
)
def test_a_registration_is_found_by_an_alias_and_by_a_shortened_wallet(
    register: Call, registrar: Client, asked: str, found: bool
) -> None:
    register(171, aliases=["Café Nord", "Mannheim Works"])
    html = check_page(registrar.get(LIST, {"q": asked}))
    assert (f">{NORTHWIND['legalName']}</a>" in html) is found


def test_the_list_is_read_page_by_page_in_as_many_queries_however_long(
    register: Call, registrar: Client, django_assert_num_queries: Any
) -> None:
    register(1, **MICROSOFT)
    row = Registration.objects.get()
    many = [_copy(row, number) for number in range(2, 62)]
    Registration.objects.bulk_create(many)
    registrar.get(LIST)
    with django_assert_num_queries(COUNT_LIST):
        first = check_page(registrar.get(LIST))
    assert first.count("data-row") == 50 and "Next 50" in first
    after = first.partition("after=")[2].partition('"')[0]
    assert check_page(registrar.get(LIST, {"after": after})).count("data-row") == 11


COUNT_LIST = 6


def _copy(row: Registration, number: int) -> Registration:
    registration = Registration.objects.get(pk=row.pk)
    registration.pk, registration.wallet, registration.wallet_key = (
        None,
        wallet(number),
        wallet(number).lower(),
    )
    return registration


def test_a_page_shows_gleifs_name_beside_the_submitted_one_and_what_happened(
    register: Call, registrar: Client
) -> None:
    register(**(MICROSOFT | {"legalName": "Redmond Sandwich Company"}))
    html = check_page(registrar.get(page(Registration.objects.get())))
    assert "Redmond Sandwich Company" in html and "MICROSOFT CORPORATION" in html.upper()
    assert "differs" in html and "Under review" in html and "Ownership not proved" in html
    assert "Registered</strong>" in html and "Case" not in html  # registrars see no cases
    officer = check_page(at_desk(person("olivia", OFFICER)).get(page(Registration.objects.get())))
    assert "/admin/review/case/" in officer and "Reason for deactivation" not in officer


def test_a_registrar_registers_upgrades_and_ends_and_each_step_names_them(
    registrar: Client,
) -> None:
    response = registrar.post(f"{LIST}register/", FORM | {"legal_name": "Microsoft Corporation"})
    row = Registration.objects.get()
    assert response.status_code == 302 and row.wallet == wallet(7) and row.aliases == ["Blue Heron"]
    registrar.post(f"{page(row)}upgrade/", {"lei": MICROSOFT["lei"]})
    row.refresh_from_db()
    assert row.kind == "GLEIF_VERIFIED"
    refused = registrar.post(f"{page(row)}deactivate/", {"reason": "short"}, follow=True)
    assert "at least 10" in check_page(refused)
    registrar.post(f"{page(row)}deactivate/", {"reason": "The client left us in November."})
    row.refresh_from_db()
    events = row.events.order_by("pk")
    assert not row.active
    assert [event.action for event in events] == ["REGISTERED", "UPGRADED", "DEACTIVATED"]
    assert {event.by.username for event in events} == {"rita"}  # type: ignore[union-attr]
    assert "The client left us in November." in check_page(registrar.get(page(row)))


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"wallet_address": "0x12"}, "not a wallet address"),
        ({"legal_name": "…"}, "letters or digits"),
        ({"lei": "SHORT"}, "not an LEI"),
        ({"country": "XX"}, "not one of the available choices"),
        ({"aliases": "\n".join("abcdefghijk")}, "At most 10"),
    ],
)
def test_what_cannot_be_is_told_beside_its_field(
    registrar: Client, change: dict[str, str], told: str
) -> None:
    assert told in check_page(registrar.post(f"{LIST}register/", FORM | change))
    assert not Registration.objects.exists()


def test_a_listed_party_is_refused_at_the_desk_as_neutrally_and_logged(registrar: Client) -> None:
    html = check_page(registrar.post(f"{LIST}register/", FORM | {"legal_name": "Lazarus Group"}))
    assert "cannot be made" in html and "match" not in html.partition("<form")[0].lower()
    assert SarEntry.objects.count() == 1 and not RegistrationEvent.objects.exists()


@pytest.mark.parametrize("group", [OFFICER, "Examiner"])
def test_who_may_only_look_can_take_no_step(register: Call, group: str) -> None:
    register()
    row, reader = Registration.objects.get(), at_desk(person("edgar", group))
    assert reader.get(page(row)).status_code == 200
    assert reader.post(f"{LIST}register/", FORM).status_code == 403
    assert reader.post(f"{page(row)}deactivate/", {"reason": "x" * 20}).status_code == 403
    assert reader.post(f"{page(row)}upgrade/", {"lei": MICROSOFT["lei"]}).status_code == 403


def test_who_has_nothing_to_do_with_it_sees_nothing_of_it(register: Call) -> None:
    register()
    otto = at_desk(person("otto", "Operator"))
    assert otto.get(LIST).status_code == 403
    assert otto.get(page(Registration.objects.get())).status_code == 403


def test_an_altered_registration_says_so_on_its_page(register: Call, registrar: Client) -> None:
    register()
    Registration.objects.update(legal_name="Somebody Else")
    assert "Integrity check failed" in check_page(registrar.get(page(Registration.objects.get())))


def test_the_search_of_every_page_and_the_home_page_know_registrations(
    register: Call, registrar: Client
) -> None:
    register(**LAPSED)
    page_text = check_page(registrar.get("/admin/search/", {"q": wallet(1).lower()}, follow=True))
    assert LAPSED["legalName"] in page_text
    assert "LEIs not in force" in check_page(registrar.get("/admin/"))


def test_a_client_is_named_in_the_timeline(register: Call, registrar: Client) -> None:
    register(1)
    html = check_page(registrar.get(page(Registration.objects.get())))
    timeline = html[html.index("Registered") :]
    assert "Registrar Ltd" in timeline and "account:" not in html


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"legalName": "Microsoft Corp."}, ["yes", "yes"]),
        ({"legalName": "Redmond Sandwich Company"}, ["differs", "yes"]),
        ({"country": "FR"}, ["yes", "differs"]),
    ],
)
def test_a_page_says_of_name_and_country_what_the_rules_say(
    register: Call, registrar: Client, fields: dict[str, str], told: list[str]
) -> None:
    register(**(MICROSOFT | fields))
    html = check_page(registrar.get(page(Registration.objects.get())))
    rows = [part.partition("</tr>")[0] for part in html.split('<tr><th scope="row">')[1:3]]
    assert ["differs" if "differs" in row else "yes" for row in rows] == told
