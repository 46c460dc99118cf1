"""Operators' pages of accounts, keys and usage."""

import logging
import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.sessions.models import Session
from django.test import Client

from apps.access.keys import metering
from apps.access.keys.admin import accounts, key_requests, keys
from apps.access.keys.authentication import find_key_by_secret
from apps.access.keys.models import Account, ApiKey, KeyEvent, KeyKind, UsageCount, issue_api_key
from apps.access.keys.revocation_impact import SHOWN
from apps.platform.desk import site
from config.prices import PEP_SCREEN
from tests.review.people import NOON, at_desk, check_page, person

KEYS, ACCOUNTS = "/admin/access/apikey/", "/admin/access/account/"


@pytest.fixture(autouse=True)
def _at_noon(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (accounts, keys, key_requests, site):
        monkeypatch.setattr(module, "now", lambda: NOON)


@pytest.fixture
def alice(db: Any) -> Account:
    return Account.objects.create(name="Alice Ltd", created_at=NOON)


@pytest.fixture
def otto(db: Any) -> Client:
    return at_desk(person("otto", "Operator"))


def mark(html: str) -> str:
    return html.split('name="once" value="')[1].split('"')[0]


def issued_by(otto: Client, alice: Account, **given: str) -> Any:
    once = mark(check_page(otto.get(f"{KEYS}issue/?account={alice.pk}")))
    values = {"account": str(alice.pk), "kind": "SUBSCRIPTION", "once": once} | given
    return otto.post(f"{KEYS}issue/", values)


def secret_of(html: str) -> str:
    return html.split('class="secret">')[1].split("<")[0]


def test_a_new_key_is_shown_once_and_works(
    otto: Client, alice: Account, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    answer = issued_by(otto, alice, label="ERP", days="30", rate_per_minute="90")
    secret = secret_of(check_page(answer))
    assert "no-store" in answer["Cache-Control"]
    key = find_key_by_secret(secret=secret, now=NOON)
    assert (key.account, key.label, key.rate_per_minute) == (alice, "ERP", 90)
    assert key.expires_at and key.expires_at - key.created_at == timedelta(days=30)
    for address in (KEYS, f"{KEYS}{key.pk}/change/", f"{KEYS}issue/", "/admin/", ACCOUNTS):
        assert secret[20:] not in check_page(otto.get(address))
    kept = [str(row.get_decoded()) for row in Session.objects.all()]
    kept += [f"{row.object_repr} {row.change_message}" for row in LogEntry.objects.all()]
    assert not any(secret[20:] in text for text in [*kept, caplog.text])
    assert LogEntry.objects.get().object_id == str(key.pk)


def test_reloading_the_secrets_page_makes_no_second_key(otto: Client, alice: Account) -> None:
    once = mark(check_page(otto.get(f"{KEYS}issue/")))
    values = {"account": str(alice.pk), "kind": "DATA", "once": once}
    assert otto.post(f"{KEYS}issue/", values).status_code == 200
    again = otto.post(f"{KEYS}issue/", values)
    assert (again.status_code, again["Location"]) == (302, KEYS)
    assert "not shown again" in check_page(otto.get(KEYS))
    assert ApiKey.objects.count() == 1


@pytest.mark.parametrize(
    "given", [{"kind": "GOLD"}, {"account": "0"}, {"days": "0"}, {"rate_per_minute": "-1"}]
)
def test_a_key_that_cannot_be_is_not_issued(
    otto: Client, alice: Account, given: dict[str, str]
) -> None:
    html = check_page(issued_by(otto, alice, **given))
    assert "errorlist" in html and not ApiKey.objects.exists()


@pytest.mark.parametrize(("hours", "works"), [("0", False), ("24", True)])
def test_rotation_gives_a_successor_and_ends_the_old_key_after_the_overlap(
    otto: Client, alice: Account, hours: str, works: bool
) -> None:
    old = issue_api_key(
        account=alice, kind=KeyKind.INSTITUTION, now=NOON, label="bank", rate_per_minute=7
    )
    once = mark(check_page(otto.get(f"{KEYS}{old.key.pk}/change/")))
    answer = otto.post(f"{KEYS}{old.key.pk}/rotate/", {"overlap": hours, "once": once})
    successor = find_key_by_secret(secret=secret_of(check_page(answer)), now=NOON)
    assert (successor.kind, successor.label, successor.rate_per_minute) == (
        "INSTITUTION",
        "bank",
        7,
    )
    old.key.refresh_from_db()
    assert old.key.usable(NOON) is works
    assert not old.key.usable(NOON + timedelta(hours=25))
    again = otto.post(f"{KEYS}{old.key.pk}/rotate/", {"overlap": hours, "once": once})
    assert again.status_code == 302 and ApiKey.objects.count() == 2


def test_an_ended_key_is_not_rotated(otto: Client, alice: Account) -> None:
    old = issue_api_key(account=alice, kind=KeyKind.DATA, now=NOON)
    once = mark(check_page(otto.get(f"{KEYS}{old.key.pk}/change/")))
    old.key.revoke(now=NOON)
    otto.post(f"{KEYS}{old.key.pk}/rotate/", {"overlap": "0", "once": once})
    assert ApiKey.objects.count() == 1
    html = check_page(otto.get(f"{KEYS}{old.key.pk}/change/"))
    assert "/rotate/" not in html and "/revoke/" not in html


def test_a_strange_overlap_is_refused(otto: Client, alice: Account) -> None:
    old = issue_api_key(account=alice, kind=KeyKind.DATA, now=NOON)
    assert otto.post(f"{KEYS}{old.key.pk}/rotate/", {"overlap": "99999"}).status_code == 404


def test_a_revoked_key_ends_at_once_and_stays_in_the_list(otto: Client, alice: Account) -> None:
    old = issue_api_key(account=alice, kind=KeyKind.DATA, now=NOON)
    answer = otto.post(f"{KEYS}{old.key.pk}/revoke/")
    assert answer["Location"] == f"{KEYS}{old.key.pk}/change/"
    old.key.refresh_from_db()
    assert not old.key.usable(NOON)
    assert str(old.key) in check_page(otto.get(f"{KEYS}?standing=ended"))
    assert str(old.key) not in check_page(otto.get(f"{KEYS}?standing=working"))


@pytest.mark.parametrize(
    ("moment", "this", "before"),
    [
        (datetime(2026, 10, 31, 12, tzinfo=UTC), "Oct 2026", "Sep 2026"),
        (datetime(2026, 3, 1, tzinfo=UTC), "Mar 2026", "Feb 2026"),
        (datetime(2027, 1, 31, 23, 59, tzinfo=UTC), "Jan 2027", "Dec 2026"),
    ],
)
def test_revoking_tells_the_calls_of_the_month_before_on_any_day(
    otto: Client, alice: Account, monkeypatch: Any, moment: datetime, this: str, before: str
) -> None:
    monkeypatch.setattr(keys, "now", lambda: moment)
    key = issue_api_key(
        account=alice, kind=KeyKind.INSTITUTION, now=moment - timedelta(days=90)
    ).key
    calls = {this: 21, before: 34}
    for month, number in calls.items():
        at = f"{datetime.strptime(month, '%b %Y'):%Y-%m}"
        UsageCount.objects.create(account=alice, month=at, unit="screen", shard=0, calls=number)
    html = check_page(otto.get(f"{KEYS}{key.pk}/revoke/"))
    assert all(f"{number} in {month}" in html for month, number in calls.items())


def test_revoking_asks_first_and_says_what_stops(otto: Client, alice: Account) -> None:
    given = {"account": alice, "now": NOON}
    key = issue_api_key(kind=KeyKind.INSTITUTION, label="ERP", **given).key
    key.mark_used(NOON - timedelta(days=2))
    other = issue_api_key(kind=KeyKind.DATA, **given).key
    issue_api_key(kind=KeyKind.DATA, **given).key.revoke(now=NOON)
    for month, calls in (("2026-11", 1200), ("2026-10", 34)):
        UsageCount.objects.create(account=alice, month=month, unit="screen", shard=0, calls=calls)
    assert f"{KEYS}{key.pk}/revoke/" in check_page(otto.get(f"{KEYS}{key.pk}/change/"))
    html = check_page(otto.get(f"{KEYS}{key.pk}/revoke/"))
    for shown in ("Alice Ltd", "institution key, ERP", "18 Nov 2026 12:00 UTC", "1,200 in Nov 2026",
                  "34 in Oct 2026", str(other), "None of them is of this type"):  # fmt: skip
        assert shown in html, shown
    key.refresh_from_db()
    assert key.usable(NOON)
    otto.post(f"{KEYS}{key.pk}/revoke/", {"note": "The client left."})
    key.refresh_from_db()
    assert not key.usable(NOON)
    assert "Revoked by otto: The client left." in check_page(otto.get(f"{KEYS}{key.pk}/change/"))
    html = check_page(otto.get(f"{KEYS}{other.pk}/revoke/"))
    assert "It has no other active key" in html


def test_a_key_of_the_same_type_counts_beyond_those_that_are_shown(
    otto: Client, alice: Account
) -> None:
    key, *_ = [
        issue_api_key(account=alice, kind=kind, now=NOON).key
        for kind in (KeyKind.INSTITUTION, KeyKind.INSTITUTION, *[KeyKind.DATA] * SHOWN)
    ]
    html = check_page(otto.get(f"{KEYS}{key.pk}/revoke/"))
    assert "None of them is of this type" not in html


def test_a_reason_that_is_too_long_revokes_nothing_and_is_given_back_whole(
    otto: Client, alice: Account
) -> None:
    key = issue_api_key(account=alice, kind=KeyKind.DATA, now=NOON).key
    page, long = f"{KEYS}{key.pk}/revoke/", "The client left. " * 30
    assert "maxlength" not in check_page(otto.get(page)).split('name="note"')[1]
    html = check_page(otto.post(page, {"note": long}), 409)
    assert f">{long}</textarea>" in html and "at most 500 are kept" in html
    html = check_page(otto.post(page, {"note": "The client\u200b left."}), 409)
    assert "hidden character" in html
    key.refresh_from_db()
    assert key.usable(NOON) and not KeyEvent.objects.exists()
    longest = "x" * 500
    otto.post(page, {"note": longest})
    assert KeyEvent.objects.get().words == longest


def test_a_successor_ends_when_the_key_was_to_end(otto: Client, alice: Account) -> None:
    ends = NOON + timedelta(days=30)
    old = issue_api_key(account=alice, kind=KeyKind.DATA, now=NOON, expires_at=ends).key
    once = mark(check_page(otto.get(f"{KEYS}{old.pk}/change/")))
    html = check_page(otto.post(f"{KEYS}{old.pk}/rotate/", {"overlap": "24", "once": once}))
    assert ApiKey.objects.latest("pk").expires_at == ends and "It expires on 20 Dec 2026" in html


def test_posting_to_a_keys_page_edits_nothing(otto: Client, alice: Account) -> None:
    old = issue_api_key(account=alice, kind=KeyKind.DATA, now=NOON).key
    assert otto.post(f"{KEYS}{old.pk}/change/", {"label": "x"}).status_code == 403
    root = at_desk(person("root", superuser=True))
    assert root.post(f"{KEYS}{old.pk}/change/", {"label": "x"}).status_code == 403
    old.refresh_from_db()
    assert old.label == ""


def test_an_account_is_added_with_its_time_and_never_renamed(otto: Client) -> None:
    assert otto.post(f"{ACCOUNTS}add/", {"name": "Bob Plc"}).status_code == 302
    bob = Account.objects.get(name="Bob Plc")
    assert bob.created_at == NOON
    assert otto.post(f"{ACCOUNTS}{bob.pk}/change/", {"name": "Eve"}).status_code == 403
    check_page(otto.get(ACCOUNTS))


def test_the_list_of_accounts_counts_working_keys_only(otto: Client, alice: Account) -> None:
    issue_api_key(account=alice, kind=KeyKind.DATA, now=NOON)
    issue_api_key(account=alice, kind=KeyKind.DATA, now=NOON).key.revoke(now=NOON)
    issue_api_key(account=alice, kind=KeyKind.DATA, now=NOON, expires_at=NOON - timedelta(days=9))
    html = check_page(otto.get(ACCOUNTS))
    assert re.findall(r'class="field-working_keys"[^>]*>(\d+)<', html) == ["1"]


def test_usage_shows_each_tier_and_what_it_costs(otto: Client, alice: Account) -> None:
    rows = ((0, 60_000), (1, 50_000))
    for shard, calls in rows:
        UsageCount.objects.create(
            account=alice, month="2026-11", unit="screen", shard=shard, calls=calls
        )
    html = check_page(otto.get(f"{ACCOUNTS}{alice.pk}/usage/?month=2026-11"))
    assert "Ownership chain" in html and "ubo_chain" not in html
    # 10,000 at 0.01, 90,000 at 0.008, 10,000 at 0.005
    for shown in ("100.00", "720.00", "50.00", "870.00"):
        assert shown in html
    html = check_page(otto.get(f"{ACCOUNTS}usage/?month=2026-11"))
    assert "Alice Ltd" in html and "110,000" in html and "870.00" in html
    html = check_page(otto.get(f"{ACCOUNTS}usage/?month=2026-10"))
    assert "No billed calls in Oct 2026" in html and "?month=2026-11" in html


@pytest.mark.parametrize("month", ["2026", "2026-13", "2026-1", "x", "２０２６-11"])
def test_a_month_that_is_none_is_404(otto: Client, alice: Account, month: str) -> None:
    assert otto.get(f"{ACCOUNTS}usage/", {"month": month}).status_code == 404


def test_usage_shows_this_month_by_default(otto: Client, alice: Account) -> None:
    metering.count_billed_call(account_id=alice.pk, unit=PEP_SCREEN, now=NOON)
    assert metering.get_month(NOON) in check_page(otto.get(f"{ACCOUNTS}{alice.pk}/usage/"))


def test_the_list_of_keys_takes_as_many_queries_for_many_as_for_one(
    otto: Client, alice: Account, django_assert_max_num_queries: Any
) -> None:
    for _ in range(30):
        issue_api_key(account=alice, kind=KeyKind.DATA, now=NOON)
    with django_assert_max_num_queries(7):
        otto.get(KEYS)
    for number in range(30):
        Account.objects.create(name=f"Account {number}", created_at=NOON)
    with django_assert_max_num_queries(7):
        otto.get(ACCOUNTS)
