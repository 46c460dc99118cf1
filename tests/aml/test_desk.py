"""AML pages of the desk: each record says what was decided, why, and where to go from there."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils.html import escape

from apps.backoffice.review.models import Case
from apps.compliance.aml.models import AmlScreen, Label, WalletProfile, WeightRecord
from apps.compliance.aml.services import weight_changes
from tests.aml.conftest import LISTED, SPLIT
from tests.aml.test_flagged_payment_case import case, decide  # noqa: F401
from tests.aml.test_weight_changes import NOTE, SENIOR, decisions, fresh  # noqa: F401
from tests.conftest import NOON
from tests.payees.registration.conftest import wallet
from tests.platform.tampering import without_triggers
from tests.review.people import at_desk, check_page, person

pytestmark = pytest.mark.django_db
Screen = Callable[..., dict[str, Any]]
EXAMINER = "Examiner"


def page(name: str, pk: int, role: str = EXAMINER) -> str:
    who = person(role.split()[0].lower(), role)
    return check_page(at_desk(who).get(f"/admin/aml/{name}/{pk}/change/"))


def test_a_block_says_the_payment_the_rule_and_the_listed_party(screen: Screen) -> None:
    told = screen(other=LISTED, amount=150_000)
    row = AmlScreen.objects.get(screen_id=told["screenId"])
    html = page("amlscreen", row.pk)
    for part in (
        "Blocked; risk",
        "A sanctions hit scores 100 and blocks.",
        "Lazarus Group",
        "150,000.00 USDC",
        "sent by the wallet",
        told["paymentId"],
        "Payments Ltd",
        wallet(1),
        LISTED,
    ):
        assert part in html, part
    profile = WalletProfile.objects.get(wallet=LISTED)
    assert f"/admin/aml/walletprofile/{profile.pk}/change/" in html
    # the log of blocked payments is told to nobody without its permission
    assert "SAR" not in html or "/admin/sar/sarentry/" not in html
    assert "/admin/sar/sarentry/" in page("amlscreen", row.pk, SENIOR)


def test_a_screen_that_was_altered_says_so(screen: Screen) -> None:
    screen()
    row = AmlScreen.objects.get()
    with without_triggers():
        AmlScreen.objects.update(risk_score=1)
    assert "Integrity check failed" in page("amlscreen", row.pk)


def test_a_wallets_profile_says_its_risk_and_leads_to_its_screens(screen: Screen) -> None:
    for amount in (*SPLIT, 8200):
        screen(amount=amount)
    row = WalletProfile.objects.get(wallet=wallet(1))
    html = page("walletprofile", row.pk)
    assert "of 100" in html and "No adverse information" in html
    assert f"/admin/aml/amlscreen/?q={wallet(1)}" in html and "24,700.00 USD" in html


def test_a_finding_says_what_was_found_and_leads_to_its_screen(case: Case) -> None:  # noqa: F811
    decide(case, "REJECT", "SUSPICION")
    html = page("label", Label.objects.get().pk, SENIOR)
    assert "found bad" in html and reverse("admin:review_case_change", args=[case.pk]) in html
    shown = check_page(at_desk(person("sam", SENIOR)).get("/admin/aml/label/"))
    assert "found bad" in shown and "icon-yes" not in shown


def test_a_version_of_the_weights_is_a_table_in_points() -> None:
    decisions(50, 60, of_bad="velocity", of_good="odd_hour")
    change = weight_changes.propose_weight_change(by=person("sybil", SENIOR), reason=NOTE, now=NOON)
    weight_changes.approve_weight_change(change=change, by=person("samir", SENIOR), now=NOON)
    html = page("weightrecord", WeightRecord.objects.get().pk)
    assert "Proposed by sybil, approved by samir" in html and escape(NOTE) in html
    assert "Unusual hour, new wallets: 10.0 to 7.0 points" in html
    assert "<table>" in html and "35.0" in html and "35000" not in html


def test_the_list_of_screens_asks_as_often_for_many_as_for_one(screen: Screen) -> None:
    desk = at_desk(person("emma", EXAMINER))
    counts = []
    for turn in range(2):
        for n in range(1 + 5 * turn):
            screen(2 * n + 1, 2 * n + 2, amount=20)
        desk.get("/admin/aml/amlscreen/")
        with CaptureQueriesContext(connection) as queries:
            html = check_page(desk.get("/admin/aml/amlscreen/"))
        counts.append(len(queries))
    assert counts[0] == counts[1] and "20.00 USDC" in html and "Proceed; risk" in html
