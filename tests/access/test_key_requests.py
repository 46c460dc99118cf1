"""In production two people issue a key: one asks, another approves, the secret is drawn once."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import DatabaseError, IntegrityError, transaction
from django.test import Client

from apps.access.keys import services
from apps.access.keys.admin import key_requests, keys
from apps.access.keys.authentication import find_key_by_secret
from apps.access.keys.models import Account, ApiKey, KeyEvent, KeyRequest
from apps.platform.api.routers import operations_of_service
from apps.platform.desk import site
from tests.desk.proposal_steps import look_at, propose
from tests.review.people import NOON, at_desk, check_page, person

KEYS, ASKED = "/admin/access/apikey/", "/admin/access/keyrequest/"
WHY = "The bank goes live on Monday."


@pytest.fixture(autouse=True)
def _at_noon(monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
    settings.PRODUCTION, settings.LEDGER_KEYS = True, f"a:{'22' * 32}"
    at(monkeypatch)


def at(monkeypatch: pytest.MonkeyPatch, **later: int) -> None:
    for module in (keys, key_requests, site):
        monkeypatch.setattr(module, "now", lambda: NOON + timedelta(**later))


@pytest.fixture
def alice(db: Any) -> Account:
    return Account.objects.create(name="Alice Ltd", created_at=NOON)


@pytest.fixture
def ada(db: Any) -> Client:
    return at_desk(person("ada", "Operator"))


@pytest.fixture
def ben(db: Any) -> Client:
    return at_desk(person("ben", "Operator"))


def ask(by: Client, account: Account, **given: str) -> str:
    """Ask for a key and return the address of the request."""
    values = {"account": str(account.pk), "kind": "INSTITUTION", "label": "ERP", "days": "30"}
    propose(by, f"{ASKED}add/", values | {"rate_per_minute": "90", "reason": WHY} | given)
    return f"{ASKED}{KeyRequest.objects.latest('pk').pk}/"


def secret_of(html: str) -> str:
    return html.split('class="secret">')[1].split("<")[0]


def test_one_asks_another_approves_and_the_secret_is_drawn_once(
    ada: Client, ben: Client, alice: Account
) -> None:
    assert ada.get(f"{KEYS}issue/")["Location"] == f"{ASKED}add/"
    assert "In production two people issue a key" in check_page(ada.get(f"{ASKED}add/"))
    address = ask(ada, alice)
    assert f'<a href="{address}change/" data-row>' in check_page(ben.get("/admin/approvals/"))
    html = check_page(ben.get(f"{address}change/"))
    for shown in ("Alice Ltd", "Institution", "ERP", "30 days after", "90", WHY, "20 Nov 2026"):
        assert shown in html, shown
    ben.post(f"{address}decide/", {"decision": "approve", "note": "I called the bank."})
    assert not ApiKey.objects.exists()
    assert "Collect the secret" in check_page(ada.get(f"{address}change/"))
    answer = ada.post(f"{address}draw/")
    key = find_key_by_secret(secret=secret_of(check_page(answer)), now=NOON)
    assert "no-store" in answer["Cache-Control"]
    assert (key.account, key.kind, key.label, key.rate_per_minute) == (
        alice, "INSTITUTION", "ERP", 90,
    )  # fmt: skip
    assert key.expires_at == NOON + timedelta(days=30)
    html = check_page(ada.post(f"{address}draw/", follow=True))
    assert "already been collected" in html and ApiKey.objects.count() == 1
    kept = KeyEvent.objects.order_by("pk").values_list("state", "by", "words", "key")
    assert list(kept) == [
        ("PROPOSED", "ada", WHY, None),
        ("APPROVED", "ben", "I called the bank.", None),
        ("ISSUED", "ada", "", key.pk),
    ]


def test_who_asks_and_who_approves_see_what_the_key_would_let_its_holder_do(
    ada: Client, ben: Client, alice: Account, settings: Any
) -> None:
    settings.RATES = settings.RATES | {"SUBSCRIPTION": 500}
    taken = sum("SUBSCRIPTION" in row.access.keys for row in operations_of_service("compliance"))
    form = {"account": str(alice.pk), "kind": "SUBSCRIPTION", "days": "30", "reason": WHY}
    wanted = (
        f"Anyone with the secret can call {taken} addresses of the Compliance Oracle as Alice Ltd",
        "Limit: 500 times a minute, like other keys of this type.",
        "It expires 30 days after its secret is collected.",
        "It would be the only active key of Alice Ltd.",
    )
    html = look_at(ada, f"{ASKED}add/", form)
    assert all(one in html for one in wanted) and not KeyRequest.objects.exists()
    address = ask(ada, alice, kind="SUBSCRIPTION", rate_per_minute="")
    html = check_page(ben.get(f"{address}change/"))
    assert all(one in html for one in wanted), html
    ben.post(f"{address}decide/", {"decision": "approve"})
    assert wanted[0] not in check_page(ben.get(f"{address}change/"))
    ada.post(f"{address}draw/")
    form |= {"kind": "DATA", "days": "", "rate_per_minute": "90"}
    html = look_at(ada, f"{ASKED}add/", form)
    for words in ("Alice Ltd already has 1 active key, none of this type",
                  "It does not expire", "Limit: 90 times a minute. Other keys of this type",
                  "addresses of the Intelligence API"):  # fmt: skip
        assert words in html, words


def test_nobody_approves_the_key_that_they_asked_for(ada: Client, alice: Account) -> None:
    address = ask(ada, alice)
    assert "Nothing is waiting for your approval" in check_page(ada.get("/admin/approvals/"))
    html = check_page(ada.post(f"{address}decide/", {"decision": "approve"}), 409)
    assert "You proposed this. Another operator must decide." in html
    assert "Another operator must approve this first" in check_page(
        ada.post(f"{address}draw/", follow=True)
    )
    with pytest.raises(IntegrityError), transaction.atomic():
        key_request = KeyRequest.objects.get()
        KeyRequest.objects.update(
            state="APPROVED", decided_by=key_request.proposed_by, decided_at=NOON
        )
    assert not ApiKey.objects.exists()


def test_one_person_issues_no_key_in_production(ada: Client, alice: Account) -> None:
    values = {"account": str(alice.pk), "kind": "DATA", "once": "x"}
    assert ada.post(f"{KEYS}issue/", values)["Location"] == f"{ASKED}add/"
    with pytest.raises(services.KeyRefused, match="two people"):
        services.issue_key_alone(
            wanted=services.KeySpecification(alice, "DATA"), by="ada", now=NOON
        )
    assert not ApiKey.objects.exists()


def test_a_request_without_a_reason_is_not_made(ada: Client, alice: Account) -> None:
    values = {"account": str(alice.pk), "kind": "DATA", "reason": "short"}
    assert "errorlist" in check_page(ada.post(f"{ASKED}add/", values))
    assert not KeyRequest.objects.exists()


def test_what_was_rejected_cannot_be_drawn(ada: Client, ben: Client, alice: Account) -> None:
    address = ask(ada, alice)
    ben.post(f"{address}decide/", {"decision": "reject", "note": "The bank asked for none."})
    assert "The bank asked for none." in check_page(ada.get(f"{address}change/"))
    ada.post(f"{address}draw/")
    assert not ApiKey.objects.exists()


def test_the_secret_is_for_who_asked_and_never_for_who_approved(
    ada: Client, ben: Client, alice: Account
) -> None:
    cleo = at_desk(person("cleo", "Operator"))
    address = ask(ada, alice)
    ben.post(f"{address}decide/", {"decision": "approve"})
    for other in (ben, cleo):
        html = check_page(other.get(f"{address}change/"))
        assert "Collect the secret" not in html and "ada requested the key and must collect" in html
        assert "Only the requester can collect" in check_page(
            other.post(f"{address}draw/", follow=True)
        )
    assert not ApiKey.objects.exists()
    User.objects.filter(username="ada").update(is_active=False)
    assert "Collect the secret" not in check_page(ben.get(f"{address}change/"))
    ben.post(f"{address}draw/")
    assert not ApiKey.objects.exists()
    assert "Collect the secret" in check_page(cleo.get(f"{address}change/"))
    assert (
        find_key_by_secret(
            secret=secret_of(check_page(cleo.post(f"{address}draw/"))), now=NOON
        ).account
        == alice
    )


@pytest.mark.parametrize(("minutes", "drawn"), [(7 * 24 * 60 - 1, 1), (7 * 24 * 60, 0)])
def test_an_approval_lasts_seven_days(
    ada: Client, ben: Client, alice: Account, monkeypatch: pytest.MonkeyPatch,
    minutes: int, drawn: int,
) -> None:  # fmt: skip
    address = ask(ada, alice)
    ben.post(f"{address}decide/", {"decision": "approve"})
    at(monkeypatch, minutes=minutes)
    assert ("Collect the secret" in check_page(ada.get(f"{address}change/"))) is bool(drawn)
    ada.post(f"{address}draw/")
    assert ApiKey.objects.count() == drawn


def test_steps_with_keys_cannot_be_altered_or_removed(ada: Client, alice: Account) -> None:
    ask(ada, alice)
    for harm in (
        lambda: KeyEvent.objects.update(by="somebody else"),
        lambda: KeyEvent.objects.all().delete(),
    ):
        with pytest.raises(DatabaseError), transaction.atomic():
            harm()


def test_in_a_sandbox_one_person_is_enough_and_the_page_says_so(
    ada: Client, alice: Account, settings: Any
) -> None:
    settings.PRODUCTION = False
    html = check_page(ada.get(f"{KEYS}issue/"))
    assert "In a sandbox one person is enough" in html
    once = html.split('name="once" value="')[1].split('"')[0]
    values = {"account": str(alice.pk), "kind": "DATA", "once": once}
    secret = secret_of(check_page(ada.post(f"{KEYS}issue/", values)))
    assert find_key_by_secret(secret=secret, now=NOON).account == alice
    assert KeyEvent.objects.get().state == "ISSUED"
