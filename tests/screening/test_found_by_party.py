"""Screens are found by whom they are about, and cases know the wallet that they are about."""

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User

from apps.backoffice.review import services
from apps.backoffice.review.models import Case
from apps.compliance.screening.integrity import verify_find_keys, verify_no_stale_keys
from apps.compliance.screening.models import FindKey, Screen
from apps.platform.common.clock import now
from apps.platform.ledger import retention, sealer
from apps.platform.ledger.models import PurgeReason
from apps.reference.watchlists import engine
from tests.review.people import OFFICER, SENIOR, at_desk, check_page, person

SEARCH, LIST = "/admin/search/", "/admin/screening/screen/"
WALLET = "0x52908400098527886E0F7030069857D2E4169EE7"
MICROSOFT = "INR2EJN1ERAN0W5ZP974"
Make = Callable[..., dict[str, Any]]


@pytest.fixture
def edgar(db: Any) -> User:
    return person("edgar", "Examiner")


def found(user: User, text: str, group: str = "Screens") -> int:
    """Return how many things of a group the search shows."""
    html = check_page(at_desk(user).get(SEARCH, {"q": text}))
    return html.partition(f"<h2>{group}</h2>")[2].partition("</section>")[0].count("data-row")


def listed(user: User, **query: str) -> int:
    return check_page(at_desk(user).get(LIST, query)).count("data-row>")


def outcome(case: Case, by: User, code: str) -> None:
    services.decide_case(
        case=case, by=by, outcome="REJECT", reason_code=code, note="The route is not accepted.",
        now=now(),
    )  # fmt: skip


def test_a_case_tells_what_was_decided_of_its_wallet_under_another_name(screen: Make) -> None:
    screen(name="Wallet Bakery One", country="HT", walletAddress=WALLET)
    olivia, first = person("olivia", OFFICER), Case.objects.get()
    assert first.wallet == WALLET
    outcome(first, olivia, "COUNTRY_DECLINED")
    screen(name="Wallet Bakery Two", country="HT", walletAddress=WALLET.lower())
    second = Case.objects.exclude(pk=first.pk).get()
    html = check_page(at_desk(olivia).get(f"/admin/review/case/{second.pk}/"))
    assert "No earlier decisions" not in html and f"/case/{first.pk}/" in html
    assert WALLET.lower() in html
    assert found(olivia, WALLET.upper().replace("0X", "0x"), "Cases") == 2


@pytest.mark.parametrize(
    "text",
    ["Wallet Bakery", "bakery wallet", "Wället Bakery", "WB Ltd", WALLET, WALLET.lower(), MICROSOFT,
     "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"],
)  # fmt: skip
def test_a_screen_is_found_by_its_partys_names_wallets_and_lei(
    screen: Make, edgar: User, text: str
) -> None:
    other = {"type": "wallet", "value": "BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4"}
    screen(
        name="Wallet Bakery", aliases=["W.B. Ltd", "WB Ltd"], walletAddress=WALLET,
        lei=MICROSOFT, identifiers=[other],
    )  # fmt: skip
    screen(name="Somebody Else")
    assert found(edgar, text) == 1
    assert listed(edgar, q=text) == 1
    assert listed(edgar, q=text, owner="account:999999") == 0


@pytest.mark.parametrize("text", ["Bakery", "Wallet Bakery Two", WALLET[:-1], "?!"])
def test_a_screen_is_found_by_the_whole_alone(screen: Make, edgar: User, text: str) -> None:
    screen(name="Wallet Bakery", walletAddress=WALLET)
    assert found(edgar, text) == 0 == listed(edgar, q=text)


def test_a_blocked_payment_is_found_by_the_name_that_was_asked_for(
    screen: Make, edgar: User
) -> None:
    assert screen(name="Hidden Cobra")["decision"] == "BLOCKED"
    assert found(edgar, "hidden cobra") == 1


def test_nobody_can_read_the_party_from_what_it_is_found_by(screen: Make) -> None:
    screen(name="Wallet Bakery", walletAddress=WALLET)
    kept = json.dumps(list(FindKey.objects.values_list("key", flat=True))).lower()
    assert "bakery" not in kept and WALLET[2:].lower() not in kept
    assert all(len(key) == 64 for key in FindKey.objects.values_list("key", flat=True))


def test_what_a_screen_is_found_by_leaves_with_its_payload(screen: Make, edgar: User) -> None:
    screen(name="Wallet Bakery", walletAddress=WALLET)
    kept = screen(name="Somebody Else")
    one = Screen.objects.exclude(screen_id=kept["screenId"]).get()
    sealer.seal_all_ledgers(now=now())
    later = now() + timedelta(days=11 * 366)
    retention.purge_payload(
        ledger="screens", record_id=one.pk, reason=PurgeReason.RETENTION, by="test", now=later
    )
    assert found(edgar, "Wallet Bakery") == found(edgar, WALLET) == 0
    assert not FindKey.objects.filter(screen=one).exists() and FindKey.objects.exists()
    assert list(verify_find_keys(lambda done: None)) == []


def test_what_a_screen_is_found_by_is_held_against_its_record(screen: Make) -> None:
    screen(name="Wallet Bakery")
    one = Screen.objects.get()
    assert list(verify_find_keys(lambda done: None)) == []
    FindKey.objects.create(screen=one, key="0" * 64)
    wrong = f"screen {one.pk}: its search keys do not match its request"
    assert list(verify_find_keys(lambda done: None)) == [wrong]
    FindKey.objects.all().delete()
    assert list(verify_find_keys(lambda done: None)) == [wrong]
    FindKey.objects.create(screen_id=one.pk + 1, key="0" * 64)
    left = f"screen {one.pk + 1}: its search keys remain after it was purged or deleted"
    assert list(verify_no_stale_keys(lambda done: None)) == [left]


@pytest.mark.parametrize("group", [OFFICER, SENIOR, "Examiner"])
def test_a_listed_party_is_found_by_its_wallet(screen: Make, group: str) -> None:
    live = engine.load_current_engine(now()).sanctions
    wallets = {
        (identifier.value, live.entity(place).names[0].full)
        for place in range(len(live))
        for identifier in live.entity(place).identifiers
        if identifier.kind == "wallet"
    }
    assert wallets
    reader = person("reader", group)
    for value, _ in wallets:
        for text in (value, f"ethereum:{value}"):
            assert found(reader, text, "Listed parties") == 1, text
        assert found(reader, value[:-1], "Listed parties") == 0


def test_a_case_leads_who_may_see_screens_to_its_own(screen: Make) -> None:
    screen(name="Lazarus Funeral Group")
    page = f"/admin/review/case/{Case.objects.get().pk}/"
    link = f'<a href="/admin/screening/screen/{Screen.objects.get().pk}/">Screen</a>'
    assert link in check_page(at_desk(person("samir", SENIOR)).get(page))
    assert link not in check_page(at_desk(person("olivia", OFFICER)).get(page))
