"""Compare our records with the bank's statements, and with the chain's transfers, once a day.

A run may be repeated: a difference has one case, however often it is found.
"""

import logging
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from decimal import Decimal

from django.db import transaction
from django.db.models import Exists, OuterRef

from apps.payments.banking.clients import bank_api
from apps.payments.banking.models import BankTransaction, Delivery, Send, StatementRun
from apps.payments.banking.rules.reconciliation import (
    Difference,
    ExpectedPayment,
    KnownPayments,
    find_chain_differences,
    find_differences,
    find_routed_differences,
)
from apps.payments.banking.rules.routes import ROUTED_STATES
from apps.payments.banking.rules.statement_lines import StatementEntry, UnreadableLine, parse_line
from apps.payments.banking.rules.transitions import TAKEN_STATES
from apps.payments.banking.services.deposit_cases import find_undone_ids
from apps.payments.banking.services.send_cases import open_difference_case
from apps.payments.chain.assets import CHAINS
from apps.payments.chain.clients.nodes import node_urls
from apps.payments.chain.models import Order, Transfer
from apps.payments.settlement.rules.payout_stablecoins import CHAIN
from apps.platform.common.amounts import format_amount
from apps.platform.common.batches import iter_chunks
from apps.platform.upstreams.http import UpstreamError

logger = logging.getLogger(__name__)
# a run each day: a difference shows in several runs, and one missed run hides none
COMPARED_PERIOD = timedelta(days=7)
# what was sent or became final a moment ago may be missing on the other side
SETTLED_AFTER = timedelta(hours=1)
AT_ONCE = 500
DAY = timedelta(days=1)
UNDONE_STATES = ("RETURNED", "FAILED")
NO_NODE = "no node of the chain is configured (EVM_RPC_URL)."
# an order is open for seven days, and late transfers are reported for as long; then the chain's
# result is final
ROUTED_PERIOD = timedelta(days=21)
ROUTED_RUN = "what was routed"  # the run that compares with all accounts


def reconcile_statements(key: str, now: datetime) -> None:
    """Compare the chain and each account; the job `banking.reconcile`.

    UpstreamError at the end if an account could not be read, so that the job is retried.
    """
    reconcile_chain(now=now)
    if not bank_api.get_bank_url():
        return
    missed, statement_lines = [], list[StatementEntry | UnreadableLine]()
    for bank_account in bank_api.fetch_accounts():
        account = str(bank_account.get("id", ""))
        try:
            since, until = (now - COMPARED_PERIOD).date(), now.date()
            lines = [
                parse_line(raw_line)
                for raw_line in bank_api.iterate_transactions(account, since=since, until=until)
            ]
        except UpstreamError as error:
            logger.warning("the statement of account %s could not be read: %s", account, error)
            # the other accounts are compared all the same
            missed.append(account)
            continue
        _compare_account(account, lines, now)
        statement_lines += lines
    # with the lines of all accounts: a routed transaction does not say which one it belongs to
    reconcile_routed(statement_lines, whole=not missed, now=now)
    if missed:
        raise UpstreamError(f"bank: {len(missed)} statements could not be read")


def _compare_account(
    account: str, lines: Sequence[StatementEntry | UnreadableLine], now: datetime
) -> StatementRun:
    expected_payments = list(_iterate_sent(account, now))
    ids = [line.bank_id for line in lines if isinstance(line, StatementEntry)]
    deliveries = Delivery.objects.filter(resource_type="transaction", resource_id__in=ids)
    sends = Send.objects.filter(bank_id__in=ids)
    # calls without a clear answer: the money may have left under an id that we do not know
    doubted = Send.objects.filter(
        unclear=True,
        bank_id="",
        account_id=account,
        asked_at__range=(now - COMPARED_PERIOD, now - SETTLED_AFTER),
    )
    differences = find_differences(
        expected_payments,
        lines,
        known=KnownPayments(
            paid=frozenset(sends.values_list("bank_id", flat=True)),
            told=frozenset(deliveries.values_list("resource_id", flat=True)),
            doubted=frozenset(-amount for amount in doubted.values_list("amount", flat=True)),
        ),
    )
    return _record_run(account, differences, read=len(lines), ours=len(expected_payments), now=now)


def reconcile_routed(
    lines: Sequence[StatementEntry | UnreadableLine], *, whole: bool, now: datetime
) -> StatementRun:
    """Compare what was routed on the bank's reports with the lines of all accounts.

    Unless `whole` says that these are all accounts, a missing line proves nothing. Our own sends
    are compared with their own account.
    """
    named = {line.bank_id for line in lines if isinstance(line, StatementEntry)}
    expected_payments = [
        payment for payment in _iterate_routed(now) if whole or payment.bank_id in named
    ]
    routed_differences = find_routed_differences(expected_payments, lines)
    return _record_run(
        ROUTED_RUN, routed_differences, read=len(lines), ours=len(expected_payments), now=now
    )


def _iterate_routed(now: datetime) -> Iterator[ExpectedPayment]:
    """Yield routed payments of that period other than ours, as a statement has them."""
    bank_transactions = BankTransaction.objects.filter(
        state__in=ROUTED_STATES,
        seen_at__gte=now - COMPARED_PERIOD + DAY,
        seen_at__lte=now - SETTLED_AFTER,
    )
    # our own sends are compared with their own account (_iterate_sent)
    paid = Send.objects.filter(bank_id=OuterRef("resource_id"))
    rows = bank_transactions.exclude(Exists(paid)).order_by("pk")
    for piece in iter_chunks(rows.iterator(AT_ONCE), AT_ONCE):
        undone = find_undone_ids(piece)
        for bank_transaction in piece:
            amount = bank_transaction.amount or Decimal(0)
            yield ExpectedPayment(
                bank_transaction.resource_id, amount, over=bank_transaction.resource_id in undone
            )


def reconcile_chain(*, now: datetime) -> StatementRun:
    """Compare settled payments with the chain's orders, and its transfers with ours.

    `entries` of the run are the chain's transfers, as its nodes reported them to the watcher.
    Without a node there were no reports: the run says that nothing was compared. Payments routed so
    long ago that their transfer is final for good are not checked again.
    """
    if not node_urls(CHAINS[CHAIN]):
        return _record_run(CHAIN, (), read=0, ours=0, now=now, missed=NO_NODE)
    seen, settled = 0, dict[str, bool]()
    lately = BankTransaction.objects.filter(
        state__in=ROUTED_STATES, seen_at__gte=now - ROUTED_PERIOD
    )
    for piece in iter_chunks(lately.order_by("pk").iterator(AT_ONCE), AT_ONCE):
        seen += len(piece)
        orders = Order.objects.filter(order_id__in=[row.order_id for row in piece], state="FINAL")
        # only orders that are FINAL: a row that is settled without one, or waits despite one,
        # differs
        final = dict(orders.values_list("order_id", "changed_at"))
        wrong = {
            row.resource_id: True for row in piece if _is_settled(row) and row.order_id not in final
        }
        late = now - SETTLED_AFTER
        chain_mismatches = wrong | {
            row.resource_id: False
            for row in piece
            # an hour of grace: the notification of a final transfer is a job of its own
            if not _is_settled(row) and row.order_id in final and final[row.order_id] <= late
        }
        settled |= chain_mismatches
    transfers = Transfer.objects.filter(gone=False, block_time__gte=now - COMPARED_PERIOD)
    strays = transfers.filter(order=None)
    names = [f"{stray.tx_hash}:{stray.log_index}"[:100] for stray in strays.iterator(AT_ONCE)]
    chain_differences = find_chain_differences(settled=settled, strays=names)
    return _record_run(CHAIN, chain_differences, read=transfers.count(), ours=seen, now=now)


def _is_settled(row: BankTransaction) -> bool:
    return row.state == "SETTLED"


def _iterate_sent(account: str, now: datetime) -> Iterator[ExpectedPayment]:
    """Yield what the bank took from an account in that time, as the statement should have it."""
    sends = Send.objects.filter(
        state__in=TAKEN_STATES,
        account_id=account,
        sent_at__gte=now - COMPARED_PERIOD,
        sent_at__lte=now - SETTLED_AFTER,
    )
    for send in sends.iterator(AT_ONCE):
        # negative, as money that leaves an account is on its statement
        yield ExpectedPayment(send.bank_id, -send.amount, send.note, send.state in UNDONE_STATES)


@transaction.atomic
def _record_run(
    of: str,
    differences: Sequence[Difference],
    *,
    read: int,
    ours: int,
    now: datetime,
    missed: str = "",
) -> StatementRun:
    """Open the cases of a reconciliation and record it; `missed` says why nothing was compared."""
    # in the transaction of the run: a run that counts differences has their cases
    for new_difference in differences:
        open_difference_case(new_difference, account=of, now=now)
    run: StatementRun = StatementRun.write(
        payload={"differences": [_serialize_difference(difference) for difference in differences]}
        | ({"notCompared": missed} if missed else {}),
        now=now,
        account_id=of[:100],
        since=(now - COMPARED_PERIOD).date(),
        until=now.date(),
        entries=read,
        ours=ours,
        differences=len(differences),
    )
    return run


def _serialize_difference(difference: Difference) -> dict[str, str]:
    amounts = {"ours": difference.ours, "theirs": difference.theirs}
    figures = {name: format_amount(value) for name, value in amounts.items() if value is not None}
    return {"code": difference.kind.code, "transaction": difference.bank_id} | figures
