"""The case of a flagged payment: what the officer sees, and what a decision does."""

from collections.abc import Callable
from typing import Any

import pytest

from apps.backoffice.review import services
from apps.backoffice.review.models import Case
from apps.compliance.aml.integrity import verify_profiles_and_labels
from apps.compliance.aml.models import AmlScreen, Label, LabelCount, Standing, WalletProfile
from apps.compliance.aml.rules import payment_judgement
from apps.compliance.aml.services.decision_effects import apply_aml_decision
from tests.aml.conftest import SPLIT
from tests.conftest import NOON
from tests.payees.registration.conftest import wallet
from tests.review.people import OFFICER, SENIOR, at_desk, check_page, person

pytestmark = pytest.mark.django_db
Screen = Callable[..., dict[str, Any]]
NOTE = "Invoices and bank statements were seen."


@pytest.fixture
def case(screen: Screen) -> Case:
    screen(3, 2, amount=20)
    for amount in (*SPLIT, 8200):
        screen(amount=amount)
    return Case.objects.get(kind="aml")


def decide(case: Case, outcome: str, code: str) -> None:
    by = person(f"olivia{case.pk}", OFFICER)
    services.decide_case(case=case, by=by, outcome=outcome, reason_code=code, note=NOTE, now=NOON)


def test_the_officer_sees_signals_and_the_neighbourhood(case: Case) -> None:
    html = check_page(at_desk(person("olivia", OFFICER)).get(f"/admin/review/case/{case.pk}/"))
    assert "payments of less than 10,000.00 USD since " in html
    assert "PURPOSE_SHOWN" in html and "SPLIT_EXPLAINED" in html
    assert "<svg" in html and "Payment network" in html and "style=" not in html
    assert wallet(3) in html and f"{wallet(3)[:6]}…{wallet(3)[-4:]}" in html  # told, and drawn


def test_a_case_leads_to_the_screen_that_it_is_about(case: Case) -> None:
    page = check_page(at_desk(person("sofia", SENIOR)).get(f"/admin/review/case/{case.pk}/"))
    screen = AmlScreen.objects.get(screen_id=case.ref)
    address = f"/admin/aml/amlscreen/{screen.pk}/change/"
    assert f'<a href="{address}">Its AML screen</a>' in page


@pytest.mark.parametrize(
    ("outcome", "code", "bad", "standing"),
    [
        ("APPROVE", "PURPOSE_SHOWN", False, Standing.NONE),
        ("REJECT", "SUSPICION", True, Standing.CONFIRMED),
    ],
)
def test_a_decision_is_counted_once_by_signal_and_cohort(
    case: Case, outcome: str, code: str, bad: bool, standing: str
) -> None:
    decide(case, outcome, code)
    label = Label.objects.get()
    assert (str(label.screen_id), label.bad, label.cohort) == (case.ref, bad, "NEW")
    counted = {row.signal: (row.bad, row.good) for row in LabelCount.objects.all()}
    assert set(counted) == {"", *label.signals.split()} and "structuring" in counted
    assert set(counted.values()) == {(1, 0) if bad else (0, 1)}
    assert WalletProfile.objects.get(wallet=wallet(1)).standing == standing
    apply_aml_decision(ref=case.ref, outcome=outcome, now=NOON)
    assert Label.objects.count() == 1
    assert {(row.bad, row.good) for row in LabelCount.objects.all()} == set(counted.values())


def test_who_pays_a_wallet_found_to_be_bad_is_told_so(case: Case, screen: Screen) -> None:
    decide(case, "REJECT", "SUSPICION")
    direct = screen(7, 1, amount=20)["signals"]
    assert [one["id"] for one in direct] == ["near_flagged", "branded"]
    assert "one payment away, sent or tried:" in direct[0]["sentence"]
    indirect = {signal["id"]: signal["sentence"] for signal in screen(8, 2, amount=20)["signals"]}
    assert "two payments away, sent or tried:" in indirect["near_flagged"]


def test_a_low_score_is_drawn_by_chance_for_review(
    screen: Screen, monkeypatch: pytest.MonkeyPatch
) -> None:
    screen(5, 6, amount=20)
    assert not Case.objects.exists()
    monkeypatch.setattr(payment_judgement, "SLICE", 1)
    monkeypatch.setattr(
        "apps.compliance.aml.screening.services.is_sampled", payment_judgement.is_sampled
    )
    found = screen(5, 6, amount=20)
    case = Case.objects.get(kind="aml")
    assert (found["action"], case.ref, case.risk) == ("PROCEED", found["screenId"], "LOW")
    assert case.rule_refs and "at random" in case.rules[0]["sentence"]
    html = check_page(at_desk(person("oscar", OFFICER)).get(f"/admin/review/case/{case.pk}/"))
    assert "Find nothing unusual" in html and "Release" not in html  # it has gone already
    decide(case, "APPROVE", "USUAL_BUSINESS")
    assert Label.objects.get().sampled is True
    case.refresh_from_db()
    assert case.outcome_words.done == "Nothing unusual found"


def test_a_wallet_that_is_listed_and_refused_is_told_as_both(case: Case, screen: Screen) -> None:
    """Neither hides the other: a listing is not outweighed by an officer's finding."""
    profile = WalletProfile.objects.get(wallet=wallet(1))
    profile.standing = Standing.LISTED
    profile.sign()
    profile.save()
    decide(case, "REJECT", "SUSPICION")
    assert WalletProfile.objects.get(wallet=wallet(1)).standing == Standing.BOTH
    assert [signal["id"] for signal in screen(7, 1, amount=20)["signals"]] == ["near_listed"]


def test_one_wallets_series_of_cases_teaches_once(case: Case, screen: Screen) -> None:
    decide(case, "APPROVE", "PURPOSE_SHOWN")
    counted = list(LabelCount.objects.values_list("signal", "good"))
    screen(amount=8300)
    again = Case.objects.exclude(pk=case.pk).get()
    apply_aml_decision(ref=again.ref, outcome="APPROVE", now=NOON)
    assert Label.objects.count() == 2
    assert list(LabelCount.objects.values_list("signal", "good")) == counted


@pytest.mark.parametrize(
    ("reason", "found"),
    [
        ("SUSPICION", [Standing.CONFIRMED, Standing.NONE]),
        ("STRUCTURED", [Standing.CONFIRMED, Standing.NONE]),
        ("COUNTERPARTY", [Standing.NONE, Standing.CONFIRMED]),
        ("NOT_EXPLAINED", [Standing.NONE, Standing.NONE]),
    ],
)
def test_a_refusal_finds_bad_whom_its_reason_names(
    case: Case, reason: str, found: list[str]
) -> None:
    decide(case, "REJECT", reason)
    rows = [WalletProfile.objects.get(wallet=wallet(n)).standing for n in (1, 2)]
    assert rows == found and Label.objects.get().bad
    assert list(verify_profiles_and_labels(lambda _: None)) == []
