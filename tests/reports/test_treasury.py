"""The treasury report: an institution's month by its key, and the network's of a crowd alone."""

import uuid
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from rest_framework.test import APIClient

from apps.access.keys.models import Account, KeyKind, issue_api_key
from apps.access.keys.tenant_names import build_hidden_owner
from apps.access.paywall.models import PaymentClaim, Receipt
from apps.compliance.aml.models import AmlScreen
from apps.compliance.payees import wallets
from apps.insight.reports.models import PaidReport
from tests.conftest import NOON
from tests.reports.buyer import Buyer, report
from tests.reports.sample_payments import crowd, payment

pytestmark = pytest.mark.django_db
OCTOBER = datetime(2026, 10, 5, 9, 0, tzinfo=UTC)
PERIOD = {"period": "2026-10"}


@pytest.fixture(autouse=True)
def _noon(db: None, at: Callable[..., None]) -> None:
    at(NOON, run=False)


def institution(name: str, kind: KeyKind = KeyKind.INSTITUTION) -> tuple[Buyer, str]:
    """Return somebody who pays with the key of an institution beside it, and its reference."""
    account, _ = Account.objects.get_or_create(name=name, defaults={"created_at": NOON})
    secret = issue_api_key(account=account, kind=kind, now=NOON).secret
    return Buyer(name, key=secret), account.ref


def flows(answer: Any) -> dict[str, Any]:
    told: dict[str, Any] = report(answer)["data"]["flows"]
    return told


def test_an_institution_reads_its_own_month_exactly() -> None:
    alice, ref = institution("Alice Bank")
    payment(ref, OCTOBER, usd="1234.56")
    payment(ref, OCTOBER + timedelta(days=1), state="BLOCKED")
    payment(ref, OCTOBER - timedelta(days=30))
    told = flows(alice.buy("treasury", PERIOD))
    assert told["scope"] == "INSTITUTION" and told["withheld"] is None
    assert (told["volume"]["count"], told["volume"]["settled"], told["volume"]["blocked"]) == (
        2, 1, 1,
    )  # fmt: skip
    assert (told["volume"]["settledUsd"], told["volume"]["feesUsd"]) == (1234.56, 1.5)
    assert [corridor["corridor"] for corridor in told["corridors"]] == ["EUR to USDC"]
    assert [day["day"] for day in told["days"]] == ["2026-10-05", "2026-10-06"]


def test_two_institutions_never_see_each_other() -> None:
    (alice, hers), (bob, his) = institution("Alice Bank"), institution("Bob Bank")
    payment(hers, OCTOBER, usd="111")
    payment(his, OCTOBER, usd="222")
    first, second = report(alice.buy("treasury", PERIOD)), report(bob.buy("treasury", PERIOD))
    assert first["data"]["flows"]["volume"]["settledUsd"] == 111
    assert second["data"]["flows"]["volume"]["settledUsd"] == 222
    assert "Alice" not in str(second) and "Bob" not in str(first)
    assert {row.owner for row in PaidReport.objects.all()} == {hers, his}


def test_the_payment_of_one_does_not_open_the_report_of_another() -> None:
    (alice, hers), (bob, _) = institution("Alice Bank"), institution("Bob Bank")
    payment(hers, OCTOBER)
    alice.buy("treasury", PERIOD)
    bob.paid = alice.paid
    for thief in (bob, Buyer("Alice Bank")):
        thief.paid = alice.paid
        answer = thief.again("treasury", PERIOD)
        assert (answer.status_code, answer.json()["code"]) == (409, "payment_used")
    assert report(alice.again("treasury", PERIOD))["data"]["flows"]["volume"]["settled"] == 1


@pytest.mark.parametrize(
    ("header", "status", "code"),
    [
        ("Bearer svc_inst_" + "a" * 60, 401, "unknown_key"),
        ("Basic abc", 401, "unknown_key"),
        ("svc_inst_" + "a" * 60, 401, "unknown_key"),
    ],
)
def test_a_key_that_is_none_refuses_before_any_charge(header: str, status: int, code: str) -> None:
    eve = Buyer("Eve")
    asked = eve.ask("treasury", PERIOD, Authorization=header)
    assert (asked.status_code, asked.json()["code"]) == (status, code)
    eve.buy("treasury", {"period": "2026-09"})  # a payment that could be signed
    answer = eve.again("treasury", PERIOD, Authorization=header)
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert PaymentClaim.objects.count() == 1


def test_a_key_of_another_kind_is_refused() -> None:
    eve, _ = institution("Eve Ltd", kind=KeyKind.MASTER)
    answer = eve.buy("treasury", PERIOD)
    assert (answer.status_code, answer.json()["code"]) == (403, "wrong_key_kind")
    assert not Receipt.objects.exists()


@pytest.mark.parametrize("header", ["X-API-Key", "X-Internal-Key"])
def test_a_key_in_the_header_of_another_kind_buys_no_report_of_the_network(header: str) -> None:
    crowd(OCTOBER)
    alice, _ = institution("Alice Bank")
    secret = alice.own.pop("Authorization").removeprefix("Bearer ")
    asked = alice.ask("treasury", PERIOD, **{header: secret})
    assert (asked.status_code, asked.json()["code"]) == (403, "wrong_key_kind")
    answer = alice.buy("treasury", PERIOD, **{header: secret})
    assert (answer.status_code, answer.json()["code"]) == (403, "wrong_key_kind")
    assert f"{header} is not for" in answer.json()["detail"]
    assert "Authorization: Bearer" in answer.json()["detail"]
    assert not PaymentClaim.objects.exists() and not Receipt.objects.exists()


def test_a_key_for_other_services_buys_no_report_of_the_network() -> None:
    crowd(OCTOBER)
    account = Account.objects.create(name="Alice Ltd", created_at=NOON)
    secret = issue_api_key(account=account, kind=KeyKind.SUBSCRIPTION, now=NOON).secret
    answer = Buyer("Alice Ltd").buy("treasury", PERIOD, **{"X-API-Key": secret})
    assert (answer.status_code, answer.json()["code"]) == (403, "wrong_key_kind")
    unknown = Buyer("Eve").buy("treasury", PERIOD, **{"X-API-Key": "nobody's"})
    assert (unknown.status_code, unknown.json()["code"]) == (401, "unknown_key")
    assert not Receipt.objects.exists()


def test_beside_the_right_key_a_key_for_other_services_is_no_matter() -> None:
    alice, ref = institution("Alice Bank")
    payment(ref, OCTOBER, usd="111")
    account = Account.objects.get(name="Alice Bank")
    secret = issue_api_key(account=account, kind=KeyKind.SUBSCRIPTION, now=NOON).secret
    told = flows(alice.buy("treasury", PERIOD, **{"X-API-Key": secret}))
    assert (told["scope"], told["volume"]["settledUsd"]) == ("INSTITUTION", 111)


def test_other_reports_are_the_same_to_all_and_ask_for_no_key(alice: Buyer) -> None:
    assert alice.buy("macro", **{"X-API-Key": "nobody's"}).status_code == 200


def test_a_month_without_a_payment_in_a_sandbox_is_of_a_sandbox_too() -> None:
    alice, _ = institution("Alice Bank")
    told = report(alice.buy("treasury", PERIOD))
    assert told["synthesis"]["dataQuality"] == "ESTIMATED"
    assert told["data"]["marks"] == {"flows": "SAMPLE", "decisions": "SAMPLE"}


def test_a_key_alone_buys_nothing() -> None:
    alice, _ = institution("Alice Bank")
    assert alice.ask("treasury", PERIOD).status_code == 402


def test_of_a_crowd_the_network_is_told_rounded() -> None:
    crowd(OCTOBER, usd="1234")
    told = flows(Buyer("Carol").buy("treasury", PERIOD))
    assert (told["scope"], told["withheld"], told["days"]) == ("NETWORK", None, [])
    assert (told["volume"]["count"], told["volume"]["settledUsd"]) == (10, 12000)


def test_of_fewer_than_five_the_network_is_told_nothing() -> None:
    crowd(OCTOBER, institutions=4)
    answer = Buyer("Carol").buy("treasury", PERIOD)
    told, decided = flows(answer), answer.json()["data"]["decisions"]
    assert told["volume"] is None and told["corridors"] == []
    assert told["withheld"]["fewestInstitutions"] == 5
    assert set(decided.values()) == {None}
    assert answer.json()["synthesis"]["dataQuality"] == "ESTIMATED"


def test_where_one_has_more_than_half_the_network_is_told_nothing() -> None:
    crowd(OCTOBER)
    payment("account:1", OCTOBER, usd="10001")
    assert flows(Buyer("Carol").buy("treasury", PERIOD))["volume"] is None


def test_of_the_running_month_a_payer_is_told_what_left_their_wallet_and_settled() -> None:
    crowd(NOON - timedelta(days=1))
    carol = Buyer("Carol")
    wallet = wallets.parse_wallet(carol.wallet.address.lower()).address
    payment("account:1", NOON - timedelta(days=2), usd="1234.56", debtor_wallet=wallet)
    payment("account:1", NOON - timedelta(days=2), debtor_wallet=wallet, state="BLOCKED")
    payment("account:1", NOON - timedelta(days=40), debtor_wallet=wallet)
    answer = carol.buy("treasury")
    told, volume = flows(answer), flows(answer)["volume"]
    assert (told["scope"], told["withheld"]["what"]) == ("WALLET", "RUNNING")
    assert (volume["settled"], volume["settledUsd"], volume["feesUsd"]) == (1, 1234.56, 1.5)
    assert (volume["count"], volume["blocked"], volume["settledShare"]) == (None, None, None)
    assert [corridor["corridor"] for corridor in told["corridors"]] == ["EUR to USDC"]
    assert set(answer.json()["data"]["decisions"].values()) == {None}
    narrative = answer.json()["synthesis"]["narrative"]["Volume"]
    assert "The paying wallet: 1 settled. 1,234.56 USD settled" in narrative
    assert PaidReport.objects.get().owner == f"payer:{wallet.lower()}"


def test_a_report_on_the_running_month_is_of_the_wallet_that_pays_alone() -> None:
    carol = Buyer("Carol")
    payment("account:1", NOON, usd="10", debtor_wallet=carol.wallet.address)
    assert flows(carol.buy("treasury"))["volume"]["settled"] == 1
    theirs = report(Buyer("Dave").buy("treasury"))
    assert theirs["data"]["flows"]["volume"]["settled"] == 0
    assert "0 USD settled in 0 payments" in str(theirs["synthesis"])


def test_who_is_asked_to_pay_is_told_of_which_months_no_figure_is_told() -> None:
    asked = Buyer("Carol").ask("treasury")
    gives = asked.json()["reportPreview"]["whatYouGet"]
    (network,) = [give for give in gives if "figures of the network" in give]
    assert "only for an ended month" in network and "at least five institutions" in network
    assert "For the current month without a key: the settled payments of the paying wallet" in gives


@pytest.mark.parametrize(("now", "told"), [("2026-10-31T23:59:59", None), ("2026-11-01", 10)])
def test_a_month_of_the_network_is_told_from_when_it_has_ended(
    at: Callable[..., None], now: str, told: int | None
) -> None:
    crowd(OCTOBER)
    at(datetime.fromisoformat(now).replace(tzinfo=UTC), run=False)
    volume = flows(Buyer("Carol").buy("treasury", PERIOD))["volume"]
    assert (volume and volume["count"]) == told


@pytest.mark.parametrize(("seconds", "settled"), [(9, 15), (10, 10), (30, 10)])
def test_what_settles_after_its_month_changes_nothing_of_what_the_network_is_told(
    seconds: int, settled: int
) -> None:
    crowd(OCTOBER)
    late = datetime(2026, 10, 31, 23, 59, 50, tzinfo=UTC)
    for number in range(5):
        payment(f"account:{1000 + number}", late, usd="1000", seconds=seconds)
    volume = flows(Buyer("Carol").buy("treasury", PERIOD))["volume"]
    assert (volume["settled"], volume["waiting"]) == (settled, 15 - settled)
    assert volume["settledUsd"] == 1000 * settled


def test_an_institution_is_told_how_many_of_its_own_flags_a_model_turned() -> None:
    alice, ref = institution("Alice Bank")
    payment(ref, OCTOBER)
    for owner, rule in (
        (ref, "AML-6"),
        (build_hidden_owner(ref), "AML-6"),
        (ref, "AML-2"),
        ("account:999999", "AML-6"),
    ):
        AmlScreen.write(
            payload={},
            now=OCTOBER,
            screen_id=uuid.uuid4(),
            owner=owner,
            wallet="0x1",
            counterparty="0x2",
            payment_key=uuid.uuid4().hex,
            counted=False,
            action="BLOCK",
            risk_score=60,
            rule=rule,
            cohort="UNKNOWN",
            sampled=False,
            weights=1,
            rules_version="1",
            sample=False,
        )
    decisions = report(alice.buy("treasury", PERIOD))["data"]["decisions"]
    assert decisions["turnedByModel"] == 2


def test_decisions_of_the_network_do_not_tell_what_its_flows_withhold() -> None:
    crowd(OCTOBER)
    for _ in range(46):
        payment("account:1000", OCTOBER, state="BLOCKED")
    data = report(Buyer("Carol").buy("treasury", PERIOD))["data"]
    assert data["flows"]["volume"]["count"] is None and data["flows"]["volume"]["settled"] == 10
    assert set(data["decisions"].values()) == {None}


def test_decisions_of_a_crowd_are_told() -> None:
    crowd(OCTOBER)
    decisions = report(Buyer("Carol").buy("treasury", PERIOD))["data"]["decisions"]
    assert (decisions["decided"], decisions["byRules"], decisions["byOfficer"]) == (10, 10, 0)


def test_what_nobody_has_decided_is_counted_apart() -> None:
    alice, ref = institution("Alice Bank")
    payment(ref, OCTOBER)
    for state in ("SUBMITTED", "HELD"):
        payment(ref, OCTOBER, state=state)
    answer = report(alice.buy("treasury", PERIOD))
    decisions = answer["data"]["decisions"]
    assert (decisions["decided"], decisions["undecided"], decisions["byRules"]) == (1, 2, 1)
    assert "2 are undecided" in answer["synthesis"]["narrative"]["Audit of decisions"]
    assert answer["synthesis"]["dataQuality"] == "ESTIMATED"  # a sandbox moves nothing


def test_where_nothing_is_told_the_risk_is_not_said_to_be_low() -> None:
    told = report(Buyer("Carol").buy("treasury", PERIOD))
    assert told["synthesis"]["riskLevel"] == "MODERATE"
    assert told["data"]["findings"][0]["code"] == "TREAS-UNKNOWN"


def test_figures_of_a_sandbox_say_so_beside_themselves() -> None:
    crowd(OCTOBER)
    told = report(Buyer("Carol").buy("treasury", PERIOD))
    assert told["data"]["marks"] == {"flows": "SAMPLE", "decisions": "SAMPLE"}
    assert all(figure["mark"] == "SAMPLE" for figure in told["data"]["figures"])
    assert all(
        key_finding.endswith(" [SAMPLE]") for key_finding in told["synthesis"]["keyFindings"]
    )


def test_an_institution_is_told_its_running_day() -> None:
    alice, ref = institution("Alice Bank")
    payment(ref, NOON - timedelta(hours=1))
    assert flows(alice.buy("treasury"))["volume"]["count"] == 1


@pytest.mark.parametrize(
    "period",
    [
        "2025-13",
        "2025-00",
        "last month",
        "2025-1",
        "2025-01-01",
        "2026-12",
        "2008-12",
        "２０２５-01",
    ],
)
def test_a_period_that_is_none_is_400_before_any_price(api: APIClient, period: str) -> None:
    answer = api.get("/reports/report/treasury", {"period": period})
    assert (answer.status_code, answer.json()["errors"][0]["field"]) == (400, "period")


@pytest.mark.parametrize(("period", "told"), [("2026-11", "2026-11"), (None, "2026-11")])
def test_the_present_month_is_asked_for_by_name_or_by_nothing(
    period: str | None, told: str
) -> None:
    query = {"period": period} if period else {}
    assert report(Buyer("Carol").buy("treasury", query))["period"] == told


def test_sums_are_of_the_month_alone() -> None:
    alice, ref = institution("Alice Bank")
    for moment in ("2026-09-30T23:59:59.999999", "2026-10-01T00:00:00",
                   "2026-10-31T23:59:59.999999", "2026-11-01T00:00:00"):  # fmt: skip
        payment(ref, datetime.fromisoformat(moment).replace(tzinfo=UTC), usd="10")
    told = flows(alice.buy("treasury", PERIOD))
    assert Decimal(str(told["volume"]["settledUsd"])) == 20
