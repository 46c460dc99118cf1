"""Expected activity: declared by two people, read from a file, and history until there is one."""

import csv
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile

from apps.compliance.aml.expected_activity import approvals, selectors, services
from apps.compliance.aml.expected_activity.services import ActivityConflict
from apps.compliance.aml.models import (
    ActivityChange,
    ActivityDeclaration,
    AmlScreen,
    DeclaredAccount,
)
from apps.compliance.aml.rules.declared_lines import (
    LineError,
    find_line_faults,
    format_lines,
    parse_written_lines,
    summarize_history,
)
from apps.compliance.aml.rules.expected_activity import (
    KINDS,
    STANDS_IN,
    ActivityLine,
    sum_declared_lines,
)
from apps.compliance.aml.rules.profile import EMPTY_PROFILE
from apps.compliance.aml.rules.signal_context import DAY, USD, SignalContext, WalletBackground
from apps.compliance.aml.rules.signals import SIGNALS, evaluate_signals
from apps.platform.common.clock import now
from apps.platform.desk.previews import SEEN
from tests.aml.test_rules import AT, known, moves, paid
from tests.api.endpoint_walk import key_client
from tests.conftest import NOON
from tests.payees.registration.conftest import wallet
from tests.payments.conftest import instruction, work
from tests.review.people import SENIOR, at_desk, check_page, person

CHANGES = "/admin/aml/activitychange/"
WAGES = {"kind": "WAGES", "payments": 20, "volume": 80_000, "counterparties": 20, "largest": 9000}
PLAN = sum_declared_lines([ActivityLine("WAGES", 20, 80_000, 20, 9000)])
HISTORY = """date,kind,amount,counterparty
2026-01-05,WAGES,3000.50,ann
2026-01-05,wages,2000,bob
2026-02-08,WAGES,9000,ann
2026-01-31,RENT,6500,home
"""


@pytest.mark.parametrize(
    ("count", "volume", "met", "amount", "covered"),
    [
        (29, 0, 0, 1, True),
        (30, 0, 0, 1, False),
        (5, 119_999, 0, 1, True),
        (5, 120_000, 0, 1, False),
        (5, 0, 30, 1, True),
        (5, 0, 31, 1, False),
        (5, 0, 0, 13_500, True),
        (5, 0, 0, 13_501, False),
    ],
)
def test_a_plan_covers_half_as_much_more_and_no_more(
    count: int, volume: int, met: int, amount: int, covered: bool
) -> None:
    own = known(count=count, days=1, volume=volume * USD, met=met)
    assert PLAN.covers(own=own, amount=amount * USD, at=AT) is covered


def test_a_plan_grows_by_the_month_and_ends_where_history_begins() -> None:
    for days, covered in ((29, False), (30, True), (STANDS_IN // DAY - 1, True), (90, False)):
        own = known(count=40, days=days)
        assert PLAN.covers(own=own, amount=USD, at=AT) is covered, days
    assert PLAN.covers(own=EMPTY_PROFILE, amount=USD, at=AT)


def test_what_is_planned_silences_what_is_usual_and_nothing_else() -> None:
    own = known(*moves(9, 4000, gap=600), days=1)
    ids = {
        signal.id for signal in evaluate_signals(SignalContext(paid(4100), 1, own, EMPTY_PROFILE))
    }
    assert {"fan_out", "velocity", "structuring", "new_and_large"} <= ids
    planned = SignalContext(
        paid(4100), 1, own, EMPTY_PROFILE, standing=WalletBackground(expected=PLAN)
    )
    usual = {row.id for row in SIGNALS if row.usual}
    assert {signal.id for signal in evaluate_signals(planned)} == ids - usual
    beyond = SignalContext(
        paid(13_501), 1, own, EMPTY_PROFILE, standing=WalletBackground(expected=PLAN)
    )
    assert "fan_out" in {signal.id for signal in evaluate_signals(beyond)}


@pytest.mark.parametrize(("kind", "told"), [("WAGES", True), ("CLIENT_MONEY", False)])
def test_money_that_passes_through_is_explained_by_a_kind_that_does_so(
    kind: str, told: bool
) -> None:
    plan = sum_declared_lines([ActivityLine(kind, 20, 80_000, 20, 9000)])
    own = known(*moves(1, 4000, out=0), days=1)
    scene = SignalContext(
        paid(3900), 1, own, EMPTY_PROFILE, standing=WalletBackground(expected=plan)
    )
    assert ("passed_on" in {signal.id for signal in evaluate_signals(scene)}) is told


def test_lines_are_read_as_they_are_written() -> None:
    text = "wages; 20; 80,000; 20; 9 000\n\nRENT; 1; 6500; 1; 6500"
    lines = parse_written_lines(text)
    assert lines[0] == WAGES and find_line_faults(lines) == []
    assert parse_written_lines(format_lines(lines)) == lines


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("WAGES; 20; 80000; 20", "Line 1"),
        ("\nWAGES; 20; x; 20; 9", "Line 2: volume is a whole number"),
        ("WAGES; 20; -1; 20; 9", "whole number"),
        ("WAGES; 20; ١; 20; 9", "whole number"),
    ],
)
def test_a_line_that_cannot_be_read_says_which(text: str, says: str) -> None:
    with pytest.raises(LineError, match=says):
        parse_written_lines(text)


@pytest.mark.parametrize(
    ("change", "faults"),
    [
        ({}, 0),
        ({"kind": "BRIBES"}, 1),
        ({"payments": 0}, 1),
        ({"payments": 10**7}, 0),
        ({"payments": 10**7 + 1}, 1),
        ({"largest": 80_000}, 0),
        ({"largest": 80_001}, 1),
    ],
)
def test_a_line_stands_within_its_bounds(change: dict[str, Any], faults: int) -> None:
    assert len(find_line_faults([WAGES | change])) == faults
    assert len(find_line_faults([WAGES, WAGES])) == 1


def test_a_file_of_past_payments_comes_to_the_busiest_month_of_each_kind() -> None:
    assert summarize_history(HISTORY, today=NOON.date()) == [
        {"kind": "RENT", "payments": 1, "volume": 6500, "counterparties": 1, "largest": 6500},
        {"kind": "WAGES", "payments": 2, "volume": 9000, "counterparties": 2, "largest": 9000},
    ]


@pytest.mark.parametrize("ending", ["\r\n", "\r"])
def test_a_file_may_have_any_line_ending(ending: str) -> None:
    text = HISTORY.replace("\n", ending)
    assert [line["kind"] for line in summarize_history(text, today=NOON.date())] == [
        "RENT",
        "WAGES",
    ]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "must name date"),
        ("date,kind,amount\n", "counterparty"),
        ("date,kind,amount,counterparty\n", "no payment"),
        ("date,kind,amount,counterparty\n5.1.2026,RENT,1,a\n", "Line 2"),
        ("date,kind,amount,counterparty\n2026-01-05,RENT,0,a\n", "not a valid amount"),
        ("date,kind,amount,counterparty\n2026-01-05,RENT,NaN,a\n", "not a valid amount"),
        ("date,kind,amount,counterparty\n2026-01-05,LOOT,1,a\n", "unknown kind"),
        ("date,kind,amount,counterparty\n2026-01-05\n", "unknown kind"),
        ("date,kind,amount,counterparty\n2026-11-21,RENT,1,a\n", "2026-11-21 is in the future"),
    ],
)
def test_a_file_that_cannot_be_read_says_why(text: str, says: str) -> None:
    with pytest.raises(LineError, match=says):
        summarize_history(text, today=NOON.date())


def test_a_cell_that_no_reader_takes_is_a_sentence_and_no_fault() -> None:
    """As the rest of a file behind a quote that nobody closes; the limit is the process's own."""
    before = csv.field_size_limit(100)
    try:
        with pytest.raises(LineError, match="is not CSV"):
            summarize_history(f'{HISTORY}2026-01-05,RENT,1,"{"a" * 200}', today=NOON.date())
    finally:
        csv.field_size_limit(before)


def test_every_kind_is_told_in_the_form(db: None) -> None:
    html = check_page(at_desk(senior("samir")).get(f"{CHANGES}add/"))
    assert all(kind.code in html for kind in KINDS) and "multipart/form-data" in html


def senior(name: str) -> User:
    return User.objects.filter(username=name).first() or person(name, SENIOR)


def declare(owner: str, **stated: Any) -> ActivityDeclaration:
    change = services.propose_change(
        stated={"owner": owner, "accounts": [], "lines": [WAGES]} | stated,
        reason="As their onboarding file says.",
        by=senior("samir"),
        now=now(),
    )
    return services.approve_change(change=change, by=senior("sena"), now=now())


@pytest.fixture
def owner(db: None) -> str:
    client = key_client("Alder Bank", "INSTITUTION")
    return f"account:{client.account.pk}"  # type: ignore[attr-defined]


def test_two_officers_declare_what_a_file_says(owner: str) -> None:
    samir = at_desk(senior("samir"))
    body = {"owner": owner, "accounts": wallet(4), "lines": "", "reason": "Their last year."}
    file = SimpleUploadedFile("past.csv", HISTORY.encode(), content_type="text/csv")
    shown = samir.post(f"{CHANGES}add/", body | {"history": file})
    assert not ActivityChange.objects.exists()
    form = shown.context["adminform"].form
    html = check_page(shown)
    assert "WAGES; 2; 9000; 2; 9000" in html and "2 payments, 9,000 USD" in html
    body |= {"lines": form.data["lines"], SEEN: form.mark}
    assert samir.post(f"{CHANGES}add/", body).status_code == 302
    change = ActivityChange.objects.get()
    with pytest.raises(ActivityConflict, match="Another"):
        services.approve_change(change=change, by=change.proposed_by, now=now())
    sena = at_desk(senior("sena"))
    assert "counts as its usual business" in check_page(sena.get(f"{CHANGES}{change.pk}/change/"))
    assert "Alder Bank" in check_page(sena.get("/admin/approvals/"))
    services.approve_change(change=change, by=senior("sena"), now=now())
    assert "Wages and freelancers" in check_page(sena.get("/admin/aml/activitydeclaration/"))
    for account in (wallet(4), f"institution:{owner}"):
        assert selectors.load_expected_activity(account) is not None
    assert list(selectors.verify_activity_declarations(lambda _: None)) == []


def test_a_file_that_is_no_text_is_told_at_its_field(owner: str) -> None:
    file = SimpleUploadedFile("past.csv", b"\xff\xfe\x00", content_type="text/csv")
    body = {"owner": owner, "lines": "", "reason": "Their last year.", "history": file}
    shown = at_desk(senior("samir")).post(f"{CHANGES}add/", body)
    assert "not UTF-8 text" in check_page(shown) and not ActivityChange.objects.exists()


@pytest.mark.parametrize(
    ("stated", "says"),
    [
        ({"accounts": ["nowhere"]}, "not a wallet"),
        ({"accounts": ["lei:123"]}, "not an LEI"),
        ({"lines": []}, "Nothing is declared yet"),
        ({"lines": [WAGES, WAGES]}, "twice"),
        ({"owner": "account:999999"}, "No client"),
        ({"owner": "agent:1"}, "No client"),
    ],
)
def test_what_may_not_stand_is_not_proposed(owner: str, stated: dict[str, Any], says: str) -> None:
    with pytest.raises(ActivityConflict, match=says):
        declare(**({"owner": owner} | stated))


def test_a_wallet_belongs_to_one_declaration(owner: str) -> None:
    declare(owner, accounts=[wallet(4)])
    other = key_client("Birch Bank", "INSTITUTION")
    with pytest.raises(ActivityConflict, match="another institution"):
        declare(f"account:{other.account.pk}", accounts=[wallet(4)])  # type: ignore[attr-defined]


def test_a_declaration_is_changed_and_ended_by_two(owner: str) -> None:
    declare(owner, accounts=[wallet(4)])
    with pytest.raises(ActivityConflict, match="already declared"):
        declare(owner, accounts=[wallet(4)])
    assert declare(owner, lines=[]).version == 2
    assert selectors.load_expected_activity(wallet(4)) is None
    assert not DeclaredAccount.objects.exists()
    assert list(selectors.verify_activity_declarations(lambda _: None)) == []


@pytest.mark.parametrize(
    "alter",
    [
        lambda: ActivityDeclaration.objects.update(lines=[WAGES | {"volume": 10**9}]),
        lambda: ActivityDeclaration.objects.update(accounts=[wallet(5)]),
        lambda: DeclaredAccount.objects.filter(account=wallet(4)).update(account=wallet(5)),
        lambda: ActivityDeclaration.objects.all().delete(),
    ],
)
def test_what_was_altered_vouches_for_nobody_and_is_found(
    owner: str, alter: Callable[[], Any]
) -> None:
    declare(owner, accounts=[wallet(4)])
    alter()
    assert selectors.load_expected_activity(wallet(5)) is None
    assert list(selectors.verify_activity_declarations(lambda _: None))


def test_a_first_large_payment_goes_where_it_was_declared_and_is_held_where_not(
    sample: Any,
) -> None:
    bank = key_client("Alder Bank", "INSTITUTION")
    debtor = {"name": "Alder Bank", "walletAddress": wallet(4)}
    sent = [
        instruction(debtor=debtor, amount=f"{n}.00", tmsReference=f"R-{n}")
        for n in (50_000, 50_001)
    ]
    body = bank.post("/integration/payments/initiate", sent[0], format="json").json()
    work()
    address = f"/integration/payments/{body['svcPaymentId']}"
    assert bank.get(address).json()["status"] == "HELD"
    line = WAGES | {"kind": "TRADES", "volume": 900_000, "largest": 100_000}
    declare(f"account:{bank.account.pk}", accounts=[wallet(4)], lines=[line])  # type: ignore[attr-defined]
    bank.post("/integration/payments/initiate", sent[1], format="json")
    work()
    response = AmlScreen.objects.latest("pk").data["response"]
    assert response["action"] == "PROCEED", response["signals"]


@pytest.mark.parametrize(
    ("many", "says"),
    [
        (1, "1 payment, 9,000 USD and 1 counterparty a month"),
        (2, "2 payments, 9,000 USD and 2 counterparties a month"),
    ],
)
def test_a_line_is_told_as_people_read_it(many: int, says: str) -> None:
    line = {"payments": many, "volume": 9000, "counterparties": many, "largest": 4500}
    assert approvals.describe_line(line).startswith(says)
