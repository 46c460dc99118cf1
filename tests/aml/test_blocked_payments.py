"""What is blocked never moved: it is no transfer between two wallets, for nobody."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from apps.compliance.aml.integrity import verify_profiles_and_labels
from apps.compliance.aml.models import AmlScreen, WalletProfile
from apps.compliance.aml.rules.profile_inclusion import (
    ScreenAttempt,
    find_count_fault,
    find_exclusion,
)
from apps.compliance.aml.screening import wallet_sanctions
from tests.advisory.fake_chat_api import PATH, saying
from tests.aml.conftest import LISTED, PAYMENT
from tests.aml.test_screen import ADVICE, flag, model  # noqa: F401
from tests.api.endpoint_walk import key_client
from tests.payees.registration.conftest import wallet
from tests.payments.conftest import instruction, work
from tests.platform.tampering import sql
from tests.upstreams.loopback import Loopback

pytestmark = pytest.mark.django_db
Screen = Callable[..., dict[str, Any]]


def ids(found: dict[str, Any]) -> list[str]:
    return [signal["id"] for signal in found["signals"]]


@pytest.mark.parametrize("direction", ["SEND", "RECEIVE"])
@pytest.mark.parametrize("ends", [(LISTED, 2), (2, LISTED)])
def test_a_blocked_attempt_taints_no_wallet_for_any_other_caller(
    screen: Screen, sample: Any, ends: Any, direction: str
) -> None:
    """Two tenants: one names a listed wallet with a wallet that the other pays."""
    for _ in range(3):
        tried = screen(*ends, direction=direction)
        assert (tried["action"], tried["counted"]) == ("BLOCK", False)
    other = key_client("Other Payments Ltd", "INTERNAL")
    body = {"wallet": wallet(3), "counterparty": wallet(2), "paymentId": "P"} | PAYMENT
    for mine, theirs, way in ((3, 2, "SEND"), (2, 3, "RECEIVE")):
        body |= {"wallet": wallet(mine), "counterparty": wallet(theirs), "direction": way}
        document = other.post("/compliance/aml/screen", body, format="json").json()
        assert (document["action"], document["signals"], document["cohort"]) == (
            "PROCEED",
            [],
            "UNKNOWN",
        )
    profile = other.get(f"/compliance/aml/profile/{wallet(2)}").json()
    assert (profile["txCount"], profile["counterparties"]) == (1, 1)
    assert list(verify_profiles_and_labels(lambda _: None)) == []


def test_a_payment_of_one_institution_to_a_listed_one_taints_no_creditor_of_another(
    sample: Any,
) -> None:
    """The same through payments, where the listed wallet is the debtor's."""
    shady, honest = (key_client(name, "INSTITUTION") for name in ("Shady Bank", "Alder Bank"))
    debtor = instruction()["debtor"] | {"walletAddress": LISTED}
    tainted = instruction(debtor=debtor)
    assert _sent(shady, tainted)["status"] == "BLOCKED"
    assert _sent(honest, instruction())["status"] == "SETTLED"
    signals = AmlScreen.objects.latest("pk").data["response"]["signals"]
    assert "near_listed" not in [signal["id"] for signal in signals]


def test_what_another_check_blocks_is_no_transfer_either(sample: Any) -> None:
    bank = key_client("Alder Bank", "INSTITUTION")
    named = instruction()["creditor"] | {"name": "Lazarus Group"}
    assert _sent(bank, instruction(creditor=named))["status"] == "BLOCKED"
    screen_ = AmlScreen.objects.get()
    assert (screen_.action, screen_.counted) == ("PROCEED", False)
    assert screen_.data["evidence"]["uncounted"] == "STOPPED"
    assert {wallet_profile.payments for wallet_profile in WalletProfile.objects.all()} == {0}
    assert list(verify_profiles_and_labels(lambda _: None)) == []


def _sent(client: Client, body: dict[str, Any]) -> dict[str, Any]:
    answer = client.post("/integration/payments/initiate", body, format="json")
    assert answer.status_code == 202, answer.content
    work()
    response = client.get(f"/integration/payments/{answer.json()['svcPaymentId']}")
    return dict(response.json())


def test_the_other_side_of_a_blocked_payment_does_not_count_it(
    screen: Screen,
    model: Loopback,  # noqa: F811
) -> None:
    model.answers[PATH] = saying(ADVICE | {"recommendation": "ESCALATE_TO_BLOCK"})
    first = flag(screen)
    assert (first["rule"], first["counted"]) == ("AML-6", False)
    model.answers[PATH] = saying(ADVICE)
    there = screen(2, 1, amount=8200, paymentId=first["paymentId"], direction="RECEIVE")
    assert there["action"] != "BLOCK" and there["counted"] is False
    assert AmlScreen.objects.latest("pk").data["evidence"]["uncounted"] == "BLOCKED_THERE"
    assert list(verify_profiles_and_labels(lambda _: None)) == []


def test_what_was_tried_raises_the_risk_of_the_wallet_that_was_screened_alone(
    screen: Screen,
) -> None:
    tried = screen(2, LISTED)
    assert tried["profile"]["riskScore"] > 0 and tried["profile"]["txCount"] == 0
    assert WalletProfile.objects.get(wallet=LISTED).profile.risk == 0


def test_a_payment_that_is_no_longer_blocked_is_counted_then_and_once(
    screen: Screen, monkeypatch: pytest.MonkeyPatch
) -> None:
    screen(1, LISTED, paymentId="P")
    screen(1, 5)
    clean = wallet_sanctions.ScreenedWallet(LISTED)
    screen_address = wallet_sanctions.screen_address
    unlisted = lambda engine, one: clean if one == LISTED else screen_address(engine, one)  # noqa: E731
    monkeypatch.setattr(wallet_sanctions, "screen_address", unlisted)
    monkeypatch.setattr("apps.compliance.aml.screening.payment_snapshot.screen_address", unlisted)
    assert [screen(1, LISTED, paymentId="P")["counted"] for _ in range(2)] == [True, False]
    own = WalletProfile.objects.get(wallet=wallet(1)).profile
    assert own.count == 2 and {one.other for one in own.recent} == {wallet(5), LISTED}
    assert list(verify_profiles_and_labels(lambda _: None)) == []


def test_profiles_sum_what_the_screens_of_the_ledger_counted(screen: Screen) -> None:
    screen(1, LISTED)
    screen(1, 2)
    table = WalletProfile._meta.db_table
    sql(f"UPDATE {table} SET payments = payments + 1 WHERE wallet = '{wallet(2)}'")
    assert any(
        "profiles have 3 payments" in fault for fault in verify_profiles_and_labels(lambda _: None)
    )


@pytest.mark.parametrize(
    ("tried", "why"),
    [
        (ScreenAttempt("PROCEED"), ""),
        (ScreenAttempt("FLAG"), ""),
        (ScreenAttempt("FLAG", holds=True), "HELD"),
        (ScreenAttempt("PROCEED", holds=True), ""),
        (ScreenAttempt("BLOCK"), "BLOCKED"),
        (ScreenAttempt("PROCEED", before=True), "COUNTED"),
        (ScreenAttempt("PROCEED", there=True), "BLOCKED_THERE"),
        (ScreenAttempt("PROCEED", stopped=True), "STOPPED"),
        (ScreenAttempt("PROCEED", valued=False), "NO_VALUE"),
    ],
)
def test_what_enters_profiles_is_told_by_a_table(tried: ScreenAttempt, why: str) -> None:
    assert find_exclusion(tried) == why


@pytest.mark.parametrize(
    ("counted", "action", "evidence", "faulty"),
    [
        (True, "PROCEED", {"usd": 1, "uncounted": ""}, False),
        (False, "BLOCK", {"usd": 1, "uncounted": "BLOCKED"}, False),
        (False, "PROCEED", {"usd": 1, "uncounted": "STOPPED"}, False),
        (True, "BLOCK", {"usd": 1, "uncounted": ""}, True),
        (True, "PROCEED", {"usd": None, "uncounted": ""}, True),
        (True, "PROCEED", {"usd": 1, "uncounted": "STOPPED"}, True),
        (False, "PROCEED", {"usd": 1, "uncounted": ""}, True),
    ],
)
def test_a_record_that_counts_against_the_table_is_found(
    counted: bool, action: str, evidence: dict[str, Any], faulty: bool
) -> None:
    assert bool(find_count_fault(counted=counted, action=action, evidence=evidence)) is faulty
