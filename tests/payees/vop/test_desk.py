"""Payee checks at the desk: found, narrowed, read whole, with the attestation verified."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from apps.compliance.payees.models import Registration
from apps.compliance.payees.models.payee_checks import VopCheck
from tests.payees.registration.conftest import MICROSOFT, NORTHWIND, wallet
from tests.platform.tampering import sql, without_triggers
from tests.review.people import OFFICER, at_desk, check_page, person

pytestmark = pytest.mark.django_db
Call = Callable[..., Any]
LIST = "/admin/registry/vopcheck/"
STRANGER = "Harbour Lights Catering"


@pytest.fixture
def officer(sample: Any) -> Client:
    return at_desk(person("olivia", OFFICER))


@pytest.fixture
def registrar(sample: Any) -> Client:
    return at_desk(person("ruth", "Registrar"))


def page(check: VopCheck) -> str:
    return reverse("admin:registry_vopcheck_change", args=[check.pk])


def test_the_list_is_narrowed_by_wallet_result_and_day(
    register: Call, verify: Call, officer: Client
) -> None:
    register(1)
    verify(1, NORTHWIND["legalName"])
    verify(1, STRANGER)
    verify(2, "Nobody Known Ltd")
    names = ("Nobody Known Ltd", STRANGER, NORTHWIND["legalName"])

    def shown(**query: str) -> list[str]:
        html = check_page(officer.get(LIST, query))
        return [name for name in names if f">{name}</a>" in html]

    today = f"{VopCheck.objects.latest('pk').recorded_at:%Y-%m-%d}"
    assert shown() == list(names) == shown(since=today, until=today)
    assert shown(wallet=wallet(1).lower()) == [STRANGER, NORTHWIND["legalName"]]
    assert shown(result="BLOCKED") == [STRANGER]
    assert shown(result="NOT_REGISTERED", wallet=wallet(1)) == []
    assert shown(since="2099-01-01") == shown(until="2001-01-01") == []
    assert shown(since="x", result="x", after="x") == list(names)


def test_the_list_is_read_page_by_page_in_as_many_queries_however_long(
    register: Call, verify: Call, officer: Client, django_assert_num_queries: Any
) -> None:
    register(1)
    verify(1, NORTHWIND["legalName"])
    vop_check = VopCheck.objects.get()
    columns = ("owner", "wallet", "result", "score", "resolved_by", "rules_version")
    for number in range(60):
        VopCheck.write(
            payload=vop_check.data, now=vop_check.recorded_at, request_id=f"{number:032x}",
            **{name: getattr(vop_check, name) for name in columns},
        )  # fmt: skip
    officer.get(LIST)
    with django_assert_num_queries(COUNT_LIST):
        first = check_page(officer.get(LIST))
    assert first.count("data-row") == 50
    after = first.partition("after=")[2].partition('"')[0]
    assert check_page(officer.get(LIST, {"after": after})).count("data-row") == 11


COUNT_LIST = 5


def test_a_check_shows_what_was_asked_found_and_by_which_versions(
    register: Call, verify: Call, officer: Client
) -> None:
    register(1, aliases=["Northwind"], **MICROSOFT)
    answer = verify(1, "Microsoft Corp", lei="5493001KJTIIGC8Y1R12")
    check = VopCheck.objects.get()
    html = check_page(officer.get(page(check)))
    for told in ("Microsoft Corp", "Microsoft Corporation", answer["requestId"], answer["message"]):
        assert told in html
    assert "5493001KJTIIGC8Y1R12: not the one on record" in html
    assert check.data["versions"]["names"] in html and check.rules_version in html
    assert answer["rule"] in html and answer["attestation"]["jws"] in html
    assert "Attestation valid" in html and "not sealed yet" in html


def test_an_attestation_of_another_finding_than_the_record_is_told(
    register: Call, verify: Call, officer: Client
) -> None:
    register(1)
    verify(1, NORTHWIND["legalName"])
    check, other = VopCheck.objects.get(), verify(1, STRANGER)
    data = check.data
    data["response"]["attestation"]["jws"] = other["attestation"]["jws"]
    columns = ("owner", "wallet", "result", "score", "resolved_by", "rules_version")
    made: VopCheck = VopCheck.write(
        payload=data, now=check.recorded_at, request_id=f"{7:032x}",
        **{name: getattr(check, name) for name in columns},
    )  # fmt: skip
    html = check_page(officer.get(page(made)))
    assert "Attestation invalid" in html and "result" in html
    assert "Differs from the record: " in html


def test_a_record_that_was_altered_says_so_on_list_page_and_wallet(
    register: Call, verify: Call, officer: Client
) -> None:
    register(1)
    verify(1, STRANGER)
    with without_triggers():
        sql("UPDATE vop_vopcheck SET result = 'VERIFIED'")
    html = check_page(officer.get(page(VopCheck.objects.get())))
    assert "Integrity check failed" in html and "Attestation invalid" in html
    assert "Integrity check failed" in check_page(officer.get(LIST))
    registered = reverse("admin:registry_registration_change", args=[_row().pk])
    assert "Integrity check failed" in check_page(officer.get(registered))


def _row() -> Registration:
    return Registration.objects.get()


def test_the_page_of_a_wallet_shows_its_checks(
    register: Call, verify: Call, officer: Client, registrar: Client
) -> None:
    register(1)
    for _ in range(12):
        verify(1, STRANGER)
    address = reverse("admin:registry_registration_change", args=[_row().pk])
    html = check_page(officer.get(address)).partition("Payee checks")[2]
    assert html.partition("</ol>")[0].count(STRANGER) == 10
    assert f"?wallet={wallet(1)}" in check_page(registrar.get(address))


def test_who_asked_is_told_to_those_who_decide_and_examine_alone(
    register: Call, verify: Call, officer: Client, registrar: Client
) -> None:
    register(1)
    verify(1, STRANGER)
    check = VopCheck.objects.get()
    registered = reverse("admin:registry_registration_change", args=[_row().pk])
    examiner = at_desk(person("edgar", "Examiner"))
    assert check.owner.startswith("payer:")
    for address in (LIST, page(check), registered):
        assert check.owner in check_page(officer.get(address)), address
        assert check.owner in check_page(examiner.get(address)), address
        html = check_page(registrar.get(address))
        assert STRANGER in html and check.owner not in html, address


def test_who_has_nothing_to_do_with_payees_sees_none(register: Call, verify: Call) -> None:
    register(1)
    verify(1, STRANGER)
    otto = at_desk(person("otto", "Operator"))
    assert otto.get(LIST).status_code == 403
    assert otto.get(page(VopCheck.objects.get())).status_code == 403
    assert STRANGER not in check_page(otto.get("/admin/search/", {"q": _id()}))


def test_the_search_finds_a_check_by_its_request(
    register: Call, verify: Call, registrar: Client
) -> None:
    register(1)
    verify(1, STRANGER)
    page_text = check_page(registrar.get("/admin/search/", {"q": _id()}, follow=True))
    assert STRANGER in page_text


def _id() -> str:
    return str(VopCheck.objects.get().request_id)
