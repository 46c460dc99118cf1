"""POST /aml/screen as the payments service sees it."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from apps.backoffice.review.models import Case
from apps.backoffice.sar.models import SarEntry
from apps.compliance.aml.active_weights import WeightsIntegrityError
from apps.compliance.aml.models import AmlScreen, Standing, WalletProfile
from apps.compliance.aml.screening import wallet_sanctions
from apps.compliance.aml.screening.requests import AmlScreenRequest
from apps.compliance.aml.screening.selectors import gather_aml_screen
from apps.compliance.aml.screening.services import conclude_aml_screen
from apps.compliance.payees.models import Action, Registration, RegistrationEvent
from apps.platform.api.callers import Caller
from apps.platform.common.clock import now
from apps.reference.signals.series import Reading
from apps.reference.signals.services import record_readings
from tests.advisory.fake_chat_api import PATH, saying
from tests.aml.conftest import LISTED, PAYMENT, SPLIT
from tests.api.endpoint_walk import key_client
from tests.conftest import NOON
from tests.payees.registration.conftest import wallet
from tests.platform.tampering import without_triggers
from tests.upstreams.loopback import Loopback

pytestmark = pytest.mark.django_db
Screen = Callable[..., dict[str, Any]]
ADVICE = {
    "recommendation": "PROCEED_WITH_REVIEW",
    "confidence": "LOW",
    "rationale": "New wallets that pay much are common.",
    "keyFactors": ["new wallet"],
}


@pytest.fixture
def model(settings: Any) -> Iterator[Loopback]:
    loopback = Loopback()
    settings.ADVISORY_URL, settings.ADVISORY_MODEL = f"{loopback.url}/v1", "judge-1"
    loopback.answers[PATH] = saying(ADVICE)
    yield loopback
    loopback.close()


def flag(screen: Screen, **fields: Any) -> dict[str, Any]:
    """Bring wallet 1 to a score between 50 and 74: a new wallet that splits a large sum."""
    for amount in SPLIT:
        screen(amount=amount)
    return screen(amount=8200, **fields)


def test_a_quiet_payment_proceeds_and_says_what_it_is(screen: Screen) -> None:
    found = screen(amount=150)
    assert (found["action"], found["riskTier"], found["riskScore"]) == ("PROCEED", "LOW", 0)
    assert found["signals"] == [] and found["sanctions"] == {"hit": False, "parties": []}
    assert (found["wallet"], found["paymentId"]) == (wallet(1), "P-1")
    assert "reasoning" not in found and found["counted"] is True
    profile = found["profile"]
    assert (profile["maturity"], profile["txCount"], profile["txVolumeAvg"]) == ("NEW", 1, 150)


def test_each_signal_tells_its_numbers_and_points(screen: Screen) -> None:
    signal = screen(amount=9800)["signals"][0]
    assert signal["id"] == "just_below" and "98 % of the threshold" in signal["sentence"]
    assert 0 < signal["points"] < 12.5 and 1 <= signal["strength"] <= 100


@pytest.mark.parametrize("side", ["wallet", "counterparty"])
@pytest.mark.parametrize("direction", ["SEND", "RECEIVE"])
def test_a_listed_wallet_blocks_and_the_score_says_so(
    screen: Screen, side: str, direction: str
) -> None:
    ends = (LISTED, 2) if side == "wallet" else (1, LISTED)
    found = screen(*ends, amount=1, direction=direction)
    assert (found["action"], found["rule"]) == ("BLOCK", "AML-5")
    assert found["sanctions"]["hit"] and found["sanctions"]["parties"][0].startswith(side)
    assert (found["riskScore"], found["riskTier"]) == (100, "CRITICAL")
    assert SarEntry.objects.get(kind="aml").ref == found["screenId"]
    assert WalletProfile.objects.get(wallet=LISTED).standing == Standing.LISTED


def test_a_registered_name_on_a_list_blocks(screen: Screen, register: Any) -> None:
    register(2, legalName="Northwind Traders International GmbH")
    assert screen()["action"] == "PROCEED"
    row = Registration.objects.get(wallet=wallet(2))
    row.legal_name, row.name_key = "Lazarus Group", "lazarus group"
    row.save()
    RegistrationEvent.keep(row, Action.CHANGED, now=row.registered_at)
    found = screen()
    assert (found["action"], found["rule"]) == ("BLOCK", "AML-5")
    assert "Lazarus Group" in found["sanctions"]["parties"][0]


def test_a_registration_that_was_altered_is_not_relied_on(ivan: APIClient, register: Any) -> None:
    register(2)
    Registration.objects.update(legal_name="Somebody Else GmbH")
    body = {"wallet": wallet(1), "counterparty": wallet(2), "paymentId": "P"} | PAYMENT
    answer = ivan.post("/compliance/aml/screen", body, format="json")
    assert (answer.status_code, answer.json()["code"]) == (503, "registration_unproved")
    assert not AmlScreen.objects.exists()


def test_what_is_flagged_opens_one_case_with_its_signals(screen: Screen) -> None:
    found = flag(screen)
    assert (found["action"], found["riskTier"], found["rule"]) == ("FLAG", "HIGH", "AML-2")
    case = Case.objects.get(kind="aml")
    assert case.ref == found["screenId"] and case.risk_score == found["riskScore"]
    codes = [rule["code"] for rule in case.rules]
    assert codes[0] == "AML-2" and codes[1:] == [signal["id"] for signal in found["signals"]]
    again = screen(amount=8200, paymentId=found["paymentId"])
    assert again["action"] == "FLAG" and Case.objects.filter(kind="aml").count() == 1


def test_an_assessment_stands_beside_a_flag(screen: Screen, model: Loopback) -> None:
    found = flag(screen)
    assert found["action"] == "FLAG"
    reasoning = found["reasoning"]
    assert reasoning["recommendation"] == "PROCEED_WITH_REVIEW" and reasoning["keyFactors"]
    assert len(model.calls) == 1  # only of what was flagged


def test_escalate_to_block_blocks_and_is_logged(screen: Screen, model: Loopback) -> None:
    model.answers[PATH] = saying(ADVICE | {"recommendation": "ESCALATE_TO_BLOCK"})
    found = flag(screen)
    assert (found["action"], found["rule"]) == ("BLOCK", "AML-6")
    assert 50 <= found["riskScore"] < 75 and found["riskTier"] == "HIGH"
    assert found["reasoning"]["recommendation"] == "ESCALATE_TO_BLOCK"
    assert SarEntry.objects.filter(kind="aml").count() == 1
    assert not Case.objects.filter(kind="aml").exists()


@pytest.mark.parametrize("said", ["no", {**ADVICE, "recommendation": "PROCEED"}, {"a": 1}])
def test_an_assessment_of_another_form_is_left_out(
    screen: Screen, model: Loopback, said: Any
) -> None:
    model.answers[PATH] = saying(said)
    found = flag(screen)
    assert found["action"] == "FLAG" and "reasoning" not in found


def test_a_listed_party_is_no_matter_for_a_model(screen: Screen, model: Loopback) -> None:
    for amount in SPLIT:
        screen(other=LISTED, amount=amount)
    found = screen(other=LISTED, amount=8200)
    assert found["action"] == "BLOCK" and "reasoning" not in found and not model.calls


def test_the_same_payment_is_counted_once_and_judged_alike(screen: Screen) -> None:
    first = screen(amount=9800, paymentId="P")
    again = screen(amount=9800, paymentId="P")
    assert (first["counted"], again["counted"]) == (True, False)
    assert again["signals"] == first["signals"] and again["profile"] == first["profile"]
    assert WalletProfile.objects.get(wallet=wallet(1)).payments == 1


def test_both_sides_of_a_payment_count_it_once(screen: Screen) -> None:
    screen(1, 2, paymentId="P")
    seen = screen(2, 1, paymentId="P", direction="RECEIVE")
    assert seen["counted"] is False and seen["profile"]["txCount"] == 1
    assert {wallet_profile.payments for wallet_profile in WalletProfile.objects.all()} == {1}
    # another pair of wallets is another payment, whatever it is called
    assert screen(1, 3, paymentId="P")["counted"] is True


def test_callers_do_not_meet_in_their_ids(screen: Screen, sample: Any) -> None:
    screen(paymentId="P")
    other = key_client("Other Payments Ltd", "INTERNAL")
    body = {"wallet": wallet(1), "counterparty": wallet(2), "paymentId": "P"} | PAYMENT
    assert other.post("/compliance/aml/screen", body, format="json").json()["counted"] is True


@pytest.mark.parametrize(
    "fields",
    [
        {"amount": 0},
        {"amount": -1},
        {"amount": "5"},
        {"currency": "XXL"},
        {"currency": "XXX"},
        {"currency": "XAU"},
        {"direction": "SIDEWAYS"},
        {"counterparty": wallet(1)},
        {"wallet": "nothing"},
        {"paymentId": ""},
        {"more": 1},
    ],
)
def test_a_bad_request_is_refused_and_counts_nothing(
    ivan: APIClient, fields: dict[str, Any]
) -> None:
    body = {"wallet": wallet(1), "counterparty": wallet(2), "paymentId": "P"} | PAYMENT | fields
    answer = ivan.post("/compliance/aml/screen", body, format="json")
    assert answer.status_code == 400 and not WalletProfile.objects.exists()


def test_other_currencies_are_judged_in_usd(screen: Screen) -> None:
    euro = screen(amount=9800, currency="EUR")
    assert "just_below" not in [signal["id"] for signal in euro["signals"]]
    assert euro["profile"]["txVolumeAvg"] > 9800
    assert screen(3, 4, amount=9800, currency="EURC")["profile"] == euro["profile"]


def test_an_amount_without_a_rate_is_not_judged(ivan: APIClient) -> None:
    body = {"wallet": wallet(1), "counterparty": wallet(2), "paymentId": "P"} | PAYMENT
    answer = ivan.post("/compliance/aml/screen", body | {"currency": "MNT"}, format="json")
    assert (answer.status_code, answer.json()["code"]) == (503, "rate_unavailable")


@pytest.mark.parametrize("kind", ["SUBSCRIPTION", "INSTITUTION", "MASTER", "SIGNING", "DATA"])
def test_no_other_key_may_ask(sample: Any, kind: str) -> None:
    for path in ("profile", "events"):
        answer = key_client("Alice Ltd", kind).get(f"/compliance/aml/{path}/{wallet(1)}")
        assert answer.status_code == 401


@pytest.mark.parametrize("fields", [{"amount": 1_000_000}, {"currency": "EUR"}])
def test_the_same_payment_with_another_amount_is_a_conflict_and_counts_nothing(
    ivan: APIClient, screen: Screen, fields: dict[str, Any]
) -> None:
    screen(amount=1, paymentId="P")
    body = {"wallet": wallet(1), "counterparty": wallet(2), "paymentId": "P"} | PAYMENT
    answer = ivan.post("/compliance/aml/screen", body | {"amount": 1} | fields, format="json")
    assert (answer.status_code, answer.json()["code"]) == (409, "payment_differs")
    assert "1.00 USDC" in answer.json()["detail"] and AmlScreen.objects.count() == 1
    other_side = body | {"wallet": wallet(2), "counterparty": wallet(1), "direction": "RECEIVE"}
    assert ivan.post("/compliance/aml/screen", other_side, format="json").status_code == 409


def test_a_wallet_written_in_other_ways_has_one_profile(ivan: APIClient, screen: Screen) -> None:
    plain = wallet(1)
    ways = [plain, plain[2:], f"eip155:1:{plain}", f"eth:{plain}", f"0x{24 * '0'}{plain[2:]}"]
    found = [screen(way, n + 2, amount=20) for n, way in enumerate(ways)]
    assert {one["wallet"] for one in found} == {plain}
    assert found[-1]["profile"]["txCount"] == len(ways)
    assert ivan.get(f"/compliance/aml/profile/eth:{plain}").json()["txCount"] == len(ways)
    body = {"wallet": plain, "counterparty": f"eth:{plain}", "paymentId": "P"} | PAYMENT
    assert ivan.post("/compliance/aml/screen", body, format="json").status_code == 400


def test_a_currency_without_a_rate_says_which_were_looked_for_and_one_with_a_rate_is_judged(
    screen: Screen, ivan: Any
) -> None:
    body = {"wallet": wallet(1), "counterparty": wallet(2), "paymentId": "K"} | PAYMENT
    body |= {"currency": "KWD", "amount": 300}
    refused = ivan.post("/compliance/aml/screen", body, format="json")
    assert (refused.status_code, refused.json()["code"]) == (503, "rate_unavailable")
    detail = refused.json()["detail"]
    assert "No rate of KWD from the last ten days is available" in detail
    assert "none of the US Treasury of the last 130 days" in detail and "pegged" not in detail
    day = now().date() - timedelta(days=30)
    reading = Reading("fx.treasury.KWD", day, Decimal("0.3"))
    record_readings(readings=[reading], source="TREASURY", now=now())
    found = screen(amount=300, currency="KWD")
    assert found["action"] == "PROCEED" and found["profile"]["txVolumeAvg"] == 1000
    valuation = found["valuation"]
    assert (valuation["amountUsd"], valuation["source"]) == ("1000.000000", "TREASURY")
    assert valuation["rateDate"] == str(day)
    assert screen(3, 4, amount=375, currency="SAR")["valuation"]["source"] == "PEG"


def test_a_listed_wallet_blocks_without_a_rate_and_is_not_counted(screen: Screen) -> None:
    first = screen(LISTED, currency="KPW", paymentId="P")
    assert "valuation" not in first
    assert (first["action"], first["rule"], first["counted"]) == ("BLOCK", "AML-5", False)
    assert first["profile"]["txCount"] == 0
    screen(LISTED, currency="KPW", paymentId="P")
    assert SarEntry.objects.filter(kind="aml").count() == 1


def test_a_neighbour_that_was_listed_since_it_was_screened_is_told(
    screen: Screen, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as before:
        real = wallet_sanctions.screen_address
        clean = wallet_sanctions.ScreenedWallet(LISTED)
        before.setattr(
            wallet_sanctions, "screen_address", lambda e, w: clean if w == LISTED else real(e, w)
        )
        assert screen(other=LISTED)["action"] == "PROCEED"
    assert WalletProfile.objects.get(wallet=LISTED).standing == Standing.NONE
    found = screen(other=3, amount=20)
    assert [signal["id"] for signal in found["signals"]] == ["near_listed"]
    assert found["signals"][0]["points"] == 40
    assert LISTED in found["signals"][0]["sentence"]


@pytest.mark.parametrize("later", ["PROCEED_WITH_REVIEW", "no answer of that form"])
def test_asking_again_undoes_no_block_of_the_assessment(
    screen: Screen, model: Loopback, later: str
) -> None:
    model.answers[PATH] = saying(ADVICE | {"recommendation": "ESCALATE_TO_BLOCK"})
    first = flag(screen)
    model.answers[PATH] = saying(ADVICE | {"recommendation": later})
    again = screen(amount=8200, paymentId=first["paymentId"])
    assert (again["action"], again["rule"]) == ("BLOCK", "AML-6")
    assert again["reasoning"] == first["reasoning"]
    assert SarEntry.objects.filter(kind="aml").count() == 1
    assert not Case.objects.filter(kind="aml").exists()


def test_a_registered_name_is_looked_up_once_for_each_set_of_lists(
    screen: Screen, register: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    register(2, legalName="Northwind Traders International GmbH")
    asked: list[str] = []
    match_sanctions = wallet_sanctions.lookup.match_sanctions

    def counting(**given: Any) -> Any:
        asked.append(given["subject"].name)
        return match_sanctions(**given)

    monkeypatch.setattr(wallet_sanctions.lookup, "match_sanctions", counting)
    monkeypatch.setattr(wallet_sanctions, "_answers", wallet_sanctions._AnswerCache())
    screen(), screen()
    assert len(asked) == 1


@pytest.mark.parametrize(("known", "most"), [(False, 8), (True, 6)])
def test_a_screen_takes_few_queries(
    screen: Screen, ivan: APIClient, known: bool, most: int
) -> None:
    screen(5, 6)
    if known:
        screen(1, 2)
    screen_request = AmlScreenRequest(wallet(1), wallet(2), Decimal(20), "USDC", "P", "SEND")
    with CaptureQueriesContext(connection) as queries:
        gathered = gather_aml_screen(asked=screen_request, now=NOON)
        with transaction.atomic():
            conclude_aml_screen(
                asked=screen_request,
                gathered=gathered,
                caller=Caller("account:1", "INTERNAL"),
                now=NOON,
            )
    statements = [
        query["sql"]
        for query in queries
        if not query["sql"].startswith(("BEGIN", "COMMIT", "SAVE", "REL"))
    ]
    assert len(statements) <= most, "\n".join(one[:90] for one in statements)


def test_a_screen_that_was_altered_judges_no_repetition(ivan: APIClient, screen: Screen) -> None:
    screen(amount=9800, paymentId="P")
    with without_triggers():
        row = AmlScreen.objects.get()
        payload = row.payload.replace("9800", "9")
        AmlScreen.objects.filter(pk=row.pk).update(payload=payload)
    body = {"wallet": wallet(1), "counterparty": wallet(2), "paymentId": "P"} | PAYMENT
    answer = ivan.post("/compliance/aml/screen", body | {"amount": 9800}, format="json")
    assert (answer.status_code, answer.json()["code"]) == (503, "record_unproved")
    assert AmlScreen.objects.count() == 1


def test_a_sanctions_hit_after_a_block_by_score_is_entered_with_its_clocks(
    screen: Screen, monkeypatch: pytest.MonkeyPatch
) -> None:
    screen(3, 1, amount=10_000)
    screen(1, 4, amount=9900)
    last = screen(4, 3, amount=9800)  # back where it came from
    assert (last["action"], last["rule"]) == ("BLOCK", "AML-1")
    entries = SarEntry.objects.filter(kind="aml")
    before = entries.count()
    listed = wallet_sanctions.ScreenedWallet(
        wallet(3), listed=("list:1 Somebody",), lists=("us-ofac-sdn",)
    )
    screen_address = wallet_sanctions.screen_address
    monkeypatch.setattr(
        wallet_sanctions,
        "screen_address",
        lambda e, w: listed if w == wallet(3) else screen_address(e, w),
    )
    for _ in range(2):
        hit = screen(4, 3, amount=9800, paymentId=last["paymentId"])
        assert hit["rule"] == "AML-5"
    assert entries.count() == before + 1


def test_a_listed_address_blocks_though_its_registration_is_not_proved(
    screen: Screen, register: Any
) -> None:
    register(2)
    Registration.objects.update(legal_name="Somebody Else GmbH")
    found = screen(2, LISTED)
    assert (found["action"], found["rule"]) == ("BLOCK", "AML-5")


def test_a_listed_address_blocks_though_the_weights_are_not_proved(
    ivan: APIClient, screen: Screen, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unproved(now: Any) -> Any:
        raise WeightsIntegrityError("They were altered.")

    monkeypatch.setattr("apps.compliance.aml.screening.selectors.load_active_weights", unproved)
    assert screen(other=LISTED)["rule"] == "AML-5"
    body = {"wallet": wallet(1), "counterparty": wallet(2), "paymentId": "P"} | PAYMENT
    assert ivan.post("/compliance/aml/screen", body, format="json").status_code == 503


def test_a_name_that_came_to_resemble_a_listed_one_counts_until_an_officer_cleared_it(
    screen: Screen, register: Any
) -> None:
    """Nobody put it under review as it was registered: the lists changed since."""
    register(2, legalName="Lazarus Trading Group GmbH")
    row = Registration.objects.get()
    row.under_review = False
    row.save()
    RegistrationEvent.keep(row, Action.CHANGED, now=row.registered_at)
    assert "name_near" in [signal["id"] for signal in screen(amount=20)["signals"]]
    RegistrationEvent.keep(row, Action.CLEARED, now=row.registered_at)
    assert "name_near" not in [signal["id"] for signal in screen(amount=20)["signals"]]


def test_the_answer_says_by_which_maturity_it_was_weighed(screen: Screen) -> None:
    found = screen(amount=20)
    assert (found["cohort"], found["profile"]["maturity"]) == ("UNKNOWN", "NEW")


def test_the_answer_shows_the_profile_before_the_payment_and_after_it(screen: Screen) -> None:
    first, second = screen(amount=20, paymentId="P"), screen(amount=40, paymentId="Q")
    again = screen(amount=20, paymentId="P")
    before = [one["profileBefore"] for one in (first, second, again)]
    assert [(one["maturity"], one["txCount"], one["txVolumeAvg"]) for one in before] == [
        ("UNKNOWN", 0, 0), ("NEW", 1, 20), ("UNKNOWN", 0, 0),
    ]  # fmt: skip
    assert [one["profile"]["txCount"] for one in (first, second, again)] == [1, 2, 2]


def test_of_a_wallet_that_begins_nothing_is_said_to_be_usual(screen: Screen) -> None:
    """Neither how many payments a day it had before, nor how many wallets it met."""
    sentences = [
        signal["sentence"]
        for other in range(2, 32)
        for signal in screen(1, other, amount=20)["signals"]
    ]
    velocity = [one for one in sentences if "payments since" in one]
    fans = [one for one in sentences if "wallets that it first met" in one]
    assert velocity and all(one.endswith("before that there was none.") for one in velocity)
    assert fans and not any("average" in fan for fan in fans)
    assert any("at least 16 wallets" in fan for fan in fans)
