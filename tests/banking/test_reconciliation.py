"""What we think, held against the bank's statement."""

from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.contrib.auth.models import User

from apps.backoffice.review.models import Case
from apps.payments.banking.case_links import find_record_page
from apps.payments.banking.clients import bank_api
from apps.payments.banking.models import BankTransaction, Send, StatementRun
from apps.payments.banking.rules.reconciliation import (
    DIFFERENCE_KINDS,
    ExpectedPayment,
    KnownPayments,
    find_differences,
)
from apps.payments.banking.rules.statement_lines import StatementEntry, UnreadableLine, parse_line
from apps.payments.banking.services import apply_chain_transfer_status, reconciliation
from apps.payments.banking.simulator.bank import ACCOUNT, SAVINGS
from apps.payments.banking.simulator.server import BankServer
from apps.payments.chain import expected_transfers
from apps.payments.chain.models import Order, Transfer
from apps.payments.settlement.rules.payout_stablecoins import CHAIN
from apps.platform.common.clock import now
from apps.platform.upstreams.http import UpstreamError
from tests.banking.banks import Payer, work
from tests.banking.webhook_deliveries import deliver, tagged, update
from tests.review.people import OFFICER, at_desk, check_page, person

OUT = Decimal("-12.50")
LATER = timedelta(hours=2)


@pytest.mark.parametrize(
    ("held", "entries", "told", "codes"),
    [
        ([ExpectedPayment("a", OUT)], [StatementEntry("a", OUT, "sent")], [], []),
        ([ExpectedPayment("a", OUT)], [StatementEntry("a", OUT, "pending")], [], []),
        ([ExpectedPayment("a", OUT)], [], [], ["RC-1"]),
        ([], [StatementEntry("b", OUT, "sent")], [], ["RC-2"]),
        ([], [StatementEntry("b", Decimal(5), "sent")], [], ["RC-2"]),
        ([], [StatementEntry("b", OUT, "sent")], ["b"], []),
        (
            [ExpectedPayment("a", OUT)],
            [StatementEntry("a", Decimal("-12.51"), "sent")],
            [],
            ["RC-3"],
        ),
        ([ExpectedPayment("a", OUT)], [StatementEntry("a", OUT, "failed")], [], ["RC-4"]),
        (
            [ExpectedPayment("a", OUT)],
            [StatementEntry("a", Decimal(-1), "reversed")],
            [],
            ["RC-3", "RC-4"],
        ),
        (
            [ExpectedPayment("a", OUT)],
            [StatementEntry("a", OUT, "sent"), StatementEntry("a", OUT, "sent")],
            [],
            ["RC-5"],
        ),
        (
            [ExpectedPayment("a", OUT, "n")],
            [StatementEntry("a", OUT, "sent", "n"), StatementEntry("b", OUT, "sent", "n")],
            [],
            ["RC-5"],
        ),
        (
            [ExpectedPayment("a", OUT)],
            [StatementEntry("a", OUT, "sent"), StatementEntry("b", OUT, "sent")],
            [],
            ["RC-2"],
        ),
        ([ExpectedPayment("a", OUT, over=True)], [StatementEntry("a", OUT, "failed")], [], []),
        ([ExpectedPayment("a", OUT, over=True)], [StatementEntry("a", OUT, "sent")], [], ["RC-7"]),
        ([ExpectedPayment("a", OUT, over=True)], [], [], []),
        ([ExpectedPayment("a", OUT)], [UnreadableLine("a")], [], ["RC-8"]),
        (
            [ExpectedPayment("a", OUT)],
            [StatementEntry("a", OUT, "sent"), UnreadableLine("line 1"), UnreadableLine("line 1")],
            [],
            ["RC-8"],
        ),
    ],
)
def test_each_difference_has_its_kind(
    held: list[ExpectedPayment],
    entries: list[StatementEntry | UnreadableLine],
    told: list[str],
    codes: list[str],
) -> None:
    known_payments = KnownPayments(told=frozenset(told))
    assert [
        difference.kind.code for difference in find_differences(held, entries, known=known_payments)
    ] == codes


def test_what_may_be_a_payment_in_doubt_is_told_though_the_webhook_knew_of_it() -> None:
    known_payments = KnownPayments(
        paid=frozenset("b"), told=frozenset("ac"), doubted=frozenset([OUT])
    )
    lines = [
        StatementEntry("a", OUT, "sent"),
        StatementEntry("b", OUT, "sent"),
        StatementEntry("c", -OUT, "sent"),
    ]
    found = [
        (difference.kind.code, difference.bank_id)
        for difference in find_differences([], lines, known=known_payments)
    ]
    assert found == [("RC-11", "a")]


@pytest.mark.parametrize(
    "said",
    [
        None, 7, "text", [], {}, {"id": "a"}, {"id": "a", "amount": "12.50"}, {"amount": 5},
        {"id": "a", "amount": True}, {"id": "", "amount": 5}, {"id": "a" * 101, "amount": 5},
        {"id": "a", "amount": Decimal("NaN")}, {"id": "a", "amount": 10**12},
        {"id": 7, "amount": 5},
    ],
)  # fmt: skip
def test_a_line_that_cannot_be_read_has_one_name_however_often_it_is_read(said: Any) -> None:
    assert isinstance(parse_line(said), UnreadableLine) and parse_line(said) == parse_line(said)


def test_a_line_is_read_exactly() -> None:
    said = {"id": "a", "amount": Decimal("-0.1"), "status": "sent", "note": None}
    assert parse_line(said) == StatementEntry("a", Decimal("-0.1"), "sent")


def test_codes_are_unique() -> None:
    assert len({difference_kind.code for difference_kind in DIFFERENCE_KINDS}) == len(
        DIFFERENCE_KINDS
    )


@pytest.fixture
def sent(alice: Payer, bank: BankServer) -> Send:
    """A payment that the bank has taken."""
    alice.send(alice.save()["recipientId"], note="invoice 42")
    work()
    return Send.objects.get()


def reconcile(at: datetime) -> StatementRun:
    """Compare all that there is, as the job does, and return the run of the account."""
    reconciliation.reconcile_statements("", at)
    return StatementRun.objects.filter(account_id=ACCOUNT).latest("pk")


@pytest.mark.django_db
def test_what_agrees_opens_no_case(sent: Send, bank: BankServer) -> None:
    reconciliation.reconcile_statements("", now() + LATER)
    run = StatementRun.objects.get(account_id=ACCOUNT)
    assert (run.entries, run.ours, run.differences) == (1, 1, 0) and not Case.objects.exists()


@pytest.mark.django_db
def test_a_run_may_be_repeated_and_a_difference_has_one_case(sent: Send, bank: BankServer) -> None:
    bank.bank.paid[ACCOUNT][0]["amount"] = -99
    for _ in range(2):
        reconcile(now() + LATER)
    assert StatementRun.objects.filter(account_id=ACCOUNT).count() == 2
    case = Case.objects.get()
    assert (case.kind, case.rules[0]["ref"], case.reference) == (
        "bank_payment", "RC-3", sent.bank_id,
    )  # fmt: skip
    assert StatementRun.objects.filter(account_id=ACCOUNT).earliest("pk").data["differences"] == [
        {"code": "RC-3", "transaction": sent.bank_id, "ours": "-12.50", "theirs": "-99.00"}
    ]


@pytest.mark.django_db
def test_what_was_sent_a_moment_ago_may_not_stand_there_yet(sent: Send, bank: BankServer) -> None:
    bank.bank.paid[ACCOUNT].clear()
    assert reconcile(now()).differences == 0
    assert reconcile(now() + LATER).differences == 1


@pytest.mark.django_db
def test_a_statement_of_many_pages_is_read_whole(
    sent: Send, bank: BankServer, monkeypatch: Any
) -> None:
    monkeypatch.setattr("apps.payments.banking.clients.bank_api.PAGE_SIZE", 2)
    for number in range(4):
        bank.bank.deposit({"amount": 5, "note": str(number)})
    run = reconcile(now() + LATER)
    assert (run.entries, run.differences) == (5, 4)


@pytest.mark.django_db
def test_without_a_bank_the_chain_alone_is_compared(db: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr(bank_api, "get_bank_url", lambda: "")
    reconciliation.reconcile_statements("", now())
    assert StatementRun.objects.get().account_id == CHAIN


@pytest.mark.django_db
def test_a_line_that_cannot_be_read_is_a_case_and_the_run_goes_on(
    sent: Send, bank: BankServer
) -> None:
    odd: Any = [{"id": "odd", "amount": "12"}, "nothing"]
    bank.bank.paid[ACCOUNT] = [odd[0], *bank.bank.paid[ACCOUNT]]
    bank.bank.deposit({"amount": 5, "note": "unknown"})
    for _ in range(2):
        run = reconcile(now() + LATER)
    assert [difference["code"] for difference in run.data["differences"]] == ["RC-2", "RC-8"]
    assert sorted(case.rules[0]["ref"] for case in Case.objects.all()) == ["RC-2", "RC-8"]


@pytest.mark.django_db
def test_an_account_that_cannot_be_read_keeps_no_other_from_being_compared(
    sent: Send, bank: BankServer, monkeypatch: Any
) -> None:
    iterate_transactions = bank_api.iterate_transactions

    def fails(account: str, **between: Any) -> Any:
        if account == ACCOUNT:
            raise UpstreamError("bank: out of order")
        return iterate_transactions(account, **between)

    monkeypatch.setattr(bank_api, "iterate_transactions", fails)
    with pytest.raises(UpstreamError):
        reconciliation.reconcile_statements("", now() + LATER)
    assert {statement_run.account_id for statement_run in StatementRun.objects.all()} == {
        SAVINGS,
        CHAIN,
        reconciliation.ROUTED_RUN,
    }


def routed(state: str = "ROUTED") -> BankTransaction:
    """A payment that was routed, with its order; then as `state` has it."""
    said = tagged()
    deliver(said)
    row = BankTransaction.objects.get(resource_id=said["resourceId"])
    expected_transfer = expected_transfers.ExpectedTransfer(
        order_id=row.order_id, about="bank", owner=row.owner, chain=CHAIN, asset="USDC",
        amount=Decimal("125.5"), recipient=row.wallet, deadline=now() + timedelta(days=7),
    )  # fmt: skip
    expected_transfers.expect_transfer(expected_transfer, now=now())
    if state == "SETTLED":
        apply_chain_transfer_status.apply_chain_transfer_status(
            row.order_id, expected_transfers.TransferStatus(state="FINAL", tx_hash="0x1"), now()
        )
    return row


def transfer(number: int, **changes: Any) -> Transfer:
    """A transfer as the chain has it."""
    row: Transfer = Transfer.objects.create(
        chain_id=8453, tx_hash=f"0x{number:064x}", log_index=0, block=1, block_hash="0x1",
        block_time=now(), asset_address="0x1", payer="0x1", payee="0x1", units="5",
        seen_at=now(), **changes,
    )  # fmt: skip
    return row


@pytest.fixture
def node(settings: Any) -> None:
    """A node of the chain is configured."""
    settings.X402_NETWORK, settings.EVM_RPC_URLS = "base", ["http://127.0.0.1:1"]


@pytest.mark.django_db
def test_without_a_node_nothing_is_compared_with_the_chain_and_the_run_says_so(
    sample: Any, bank: BankServer, settings: Any
) -> None:
    settings.EVM_RPC_URLS = []
    routed("SETTLED")
    run = reconciliation.reconcile_chain(now=now() + LATER)
    assert (run.entries, run.ours, run.differences) == (0, 0, 0)
    assert "EVM_RPC_URL" in run.data["notCompared"] and not Case.objects.exists()
    html = check_page(at_desk(person("olga", OFFICER)).get("/admin/banking/statementrun/"))
    assert "not compared" in html


@pytest.mark.django_db
def test_what_was_routed_long_ago_is_not_walked_through_again(
    sample: Any, bank: BankServer, node: None
) -> None:
    routed("SETTLED")
    days = [timedelta(days=20), timedelta(days=22)]
    assert [reconciliation.reconcile_chain(now=now() + day).ours for day in days] == [1, 0]


@pytest.mark.django_db
def test_what_counts_as_settled_is_held_against_the_chain_once(
    sample: Any, bank: BankServer, node: None
) -> None:
    row = routed("SETTLED")
    for _ in range(2):
        run = reconciliation.reconcile_chain(now=now() + LATER)
    assert run.data["differences"] == [{"code": "RC-6", "transaction": row.resource_id}]
    assert (run.account_id, run.ours) == (CHAIN, 1)
    assert Case.objects.get(reference=row.resource_id).rules[0]["ref"] == "RC-6"


@pytest.mark.django_db
def test_what_is_final_on_the_chain_counts_as_settled(
    sample: Any, bank: BankServer, node: None
) -> None:
    row = routed()
    assert reconciliation.reconcile_chain(now=now() + LATER).differences == 0
    Order.objects.filter(order_id=row.order_id).update(state="FINAL", transfer=transfer(1))
    assert reconciliation.reconcile_chain(now=now()).differences == 0  # a moment ago
    run = reconciliation.reconcile_chain(now=now() + LATER)
    assert [difference["code"] for difference in run.data["differences"]] == ["RC-9"]


@pytest.mark.django_db
def test_a_transfer_to_a_recipient_of_ours_that_settles_nothing_is_a_case(
    db: Any, node: None
) -> None:
    new_transfer = transfer(1)
    transfer(2, gone=True)
    run = reconciliation.reconcile_chain(now=now() + LATER)
    assert run.data["differences"] == [
        {"code": "RC-10", "transaction": f"{new_transfer.tx_hash}:0"}
    ]
    assert Case.objects.get().rules[0]["ref"] == "RC-10" and run.entries == 1


@pytest.mark.django_db
def test_a_case_leads_to_the_record_that_it_is_about(sent: Send, bank: BankServer) -> None:
    bank.bank.paid[ACCOUNT][0]["amount"] = -99
    reconcile(now() + LATER)
    said = tagged("0x12")
    deliver(said)
    row = BankTransaction.objects.get(resource_id=said["resourceId"])
    seen = User.objects.create_superuser("root")
    nobody = User.objects.create_user("nobody")
    pages = {case.reference: find_record_page(seen, case.ref) for case in Case.objects.all()}
    assert pages[sent.bank_id][1] == f"/admin/banking/send/{sent.pk}/change/"  # type: ignore[index]
    assert pages[row.resource_id][1] == f"/admin/banking/banktransaction/{row.pk}/change/"  # type: ignore[index]
    assert find_record_page(seen, str(sent.send_id)) == pages[sent.bank_id]
    assert not any(find_record_page(nobody, case.ref) for case in Case.objects.all())


def deposit(amount: int, **line: Any) -> dict[str, Any]:
    """A deposit that was routed; `line` is what the statement has of it."""
    return {"id": "deposit-1", "accountId": ACCOUNT, "amount": amount, "status": "sent"} | line


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("line", "codes"),
    [
        (deposit(500), []),
        (deposit(500, status="Sent"), []),
        (deposit(5), ["RC-3"]),
        (deposit(-500), ["RC-3"]),
        (deposit(500, status="failed"), ["RC-4"]),
        (None, ["RC-1"]),
    ],
)
def test_what_was_routed_is_held_against_the_statements(
    sample: Any, bank: BankServer, line: dict[str, Any] | None, codes: list[str]
) -> None:
    deliver(tagged(amount=500) | {"resourceId": "deposit-1"})
    if line:
        bank.bank.paid[ACCOUNT].append(line)
    for _ in range(2):
        reconciliation.reconcile_statements("", now() + LATER)
    run = StatementRun.objects.filter(account_id=reconciliation.ROUTED_RUN).latest("pk")
    assert [difference["code"] for difference in run.data["differences"]] == codes and run.ours == 1
    assert [case.rules[0]["ref"] for case in Case.objects.all()] == codes


@pytest.mark.django_db
def test_where_a_statement_cannot_be_read_what_has_no_line_says_nothing(sample: Any) -> None:
    deliver(tagged(amount=500) | {"resourceId": "deposit-1"})
    line = StatementEntry("deposit-1", Decimal(5), "sent")
    moment = now() + LATER
    assert reconciliation.reconcile_routed([], whole=False, now=moment).differences == 0
    assert reconciliation.reconcile_routed([line], whole=False, now=moment).differences == 1
    assert reconciliation.reconcile_routed([], whole=True, now=moment).differences == 1


@pytest.mark.django_db
def test_what_officers_know_to_have_failed_need_not_stand_on_a_statement(sample: Any) -> None:
    said = tagged(amount=500)
    deliver(said)
    deliver(update(said, status="failed"))
    assert reconciliation.reconcile_routed([], whole=True, now=now() + LATER).differences == 0
