"""What we think, held against the bank's statement."""

from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest

from apps.banking import reconciling
from apps.banking.models import Send, StatementRun
from apps.banking.rules.reconciling import KINDS, Entry, Held, differences
from apps.banking.simulator.bank import ACCOUNT
from apps.banking.simulator.web import Server
from apps.core.clock import now
from apps.review.models import Case
from tests.banking.banks import Payer, work

OUT = Decimal("-12.50")
LATER = timedelta(hours=2)


@pytest.mark.parametrize(
    ("held", "entries", "told", "codes"),
    [
        ([Held("a", OUT)], [Entry("a", OUT, "sent")], [], []),
        ([Held("a", OUT)], [Entry("a", OUT, "pending")], [], []),
        ([Held("a", OUT)], [], [], ["RC-1"]),
        ([], [Entry("b", OUT, "sent")], [], ["RC-2"]),
        ([], [Entry("b", Decimal(5), "sent")], [], ["RC-2"]),
        ([], [Entry("b", OUT, "sent")], ["b"], []),
        ([Held("a", OUT)], [Entry("a", Decimal("-12.51"), "sent")], [], ["RC-3"]),
        ([Held("a", OUT)], [Entry("a", OUT, "failed")], [], ["RC-4"]),
        ([Held("a", OUT)], [Entry("a", Decimal(-1), "reversed")], [], ["RC-3", "RC-4"]),
        ([Held("a", OUT)], [Entry("a", OUT, "sent"), Entry("a", OUT, "sent")], [], ["RC-5"]),
        ([Held("a", OUT, "n")], [Entry("a", OUT, "sent", "n"), Entry("b", OUT, "sent", "n")], [],
         ["RC-5"]),
        ([Held("a", OUT)], [Entry("a", OUT, "sent"), Entry("b", OUT, "sent")], [], ["RC-2"]),
    ],
)  # fmt: skip
def test_each_difference_has_its_kind(
    held: list[Held], entries: list[Entry], told: list[str], codes: list[str]
) -> None:
    assert [one.kind.code for one in differences(held, entries, told=told)] == codes


def test_codes_are_unique() -> None:
    assert len({one.code for one in KINDS}) == len(KINDS)


@pytest.fixture
def sent(alice: Payer, bank: Server) -> Send:
    """A payment that the bank has taken."""
    alice.send(alice.save()["recipientId"], note="invoice 42")
    work()
    return Send.objects.get()


@pytest.mark.django_db
def test_what_agrees_opens_no_case(sent: Send, bank: Server) -> None:
    reconciling.reconcile("", now() + LATER)
    run = StatementRun.objects.get(account_id=ACCOUNT)
    assert (run.entries, run.ours, run.differences) == (1, 1, 0) and not Case.objects.exists()


@pytest.mark.django_db
def test_a_run_may_be_repeated_and_a_difference_has_one_case(sent: Send, bank: Server) -> None:
    bank.bank.paid[ACCOUNT][0]["amount"] = -99
    for _ in range(2):
        reconciling.compare(ACCOUNT, now=now() + LATER)
    assert StatementRun.objects.count() == 2
    case = Case.objects.get()
    assert (case.kind, case.rules[0]["ref"], case.reference) == (
        "bank_payment", "RC-3", sent.bank_id,
    )  # fmt: skip
    assert StatementRun.objects.earliest("pk").data["differences"] == [
        {"code": "RC-3", "transaction": sent.bank_id, "ours": "-12.50", "theirs": "-99.00"}
    ]


@pytest.mark.django_db
def test_what_was_sent_a_moment_ago_may_not_stand_there_yet(sent: Send, bank: Server) -> None:
    bank.bank.paid[ACCOUNT].clear()
    assert reconciling.compare(ACCOUNT, now=now()).differences == 0
    assert reconciling.compare(ACCOUNT, now=now() + LATER).differences == 1


@pytest.mark.django_db
def test_a_statement_of_many_pages_is_read_whole(
    sent: Send, bank: Server, monkeypatch: Any
) -> None:
    monkeypatch.setattr("apps.banking.adapter.PAGE", 2)
    for number in range(4):
        bank.bank.deposit({"amount": 5, "note": str(number)})
    run = reconciling.compare(ACCOUNT, now=now() + LATER)
    assert (run.entries, run.differences) == (5, 4)


@pytest.mark.django_db
def test_without_a_bank_nothing_is_compared(db: Any, settings: Any) -> None:
    settings.BANK_API_URL, settings.PRODUCTION = "", True
    reconciling.reconcile("", now())
    assert not StatementRun.objects.exists()
