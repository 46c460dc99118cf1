"""Payment files on the desk: their list, and one with what became of its transactions."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Q

from apps.access.keys.models import Account
from apps.payments.payments.models import Payment
from apps.payments.payments.pain001.api.filters import FileTransactionFilter
from apps.payments.payments.pain001.models import (
    FileTransaction,
    Outcome,
    PaymentFile,
    load_sender_profile,
)
from apps.payments.payments.pain001.pain002 import load_payments_of_lines
from apps.payments.payments.pain001.statuses import load_group_statuses
from apps.platform.desk import list_pages

STATE_LABELS = {
    "WORKING": ("In progress", "warn"),
    "STOPPED": ("Stopped", "bad"),
    "DONE": ("Done", "ok"),
}
GROUP_STATUS_LABELS = {
    "ACTC": "received and valid",
    "ACCP": "taken as a whole",
    "PART": "rejected in part",
    "RJCT": "rejected as a whole",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class FileListQuery(list_pages.ListQuery):
    """Which files: those of a MsgId or of bytes (SHA-256), those with refusals, those at work."""

    find: str = list_pages.text_field(64)
    only: str = list_pages.choice_field(("refused", "working"))


@dataclass(frozen=True, slots=True)
class FileRow:
    """A file as it is drawn."""

    file: PaymentFile
    client: str
    state: str
    tone: str
    group: str


def build_file_list(query: FileListQuery) -> dict[str, Any]:
    """Return what the list draws; three queries."""
    files = PaymentFile.objects.all()
    if query.find:
        files = files.filter(Q(message_id=query.find) | Q(digest=query.find.lower()))
    if query.only == "refused":
        files = files.filter(refused__gt=0)
    elif query.only == "working":
        files = files.filter(finished_at=None)
    shown, last = list_pages.take_page(query.behind(files))
    following = str(last.pk) if last else ""
    return {
        "title": "Payment files",
        "asked": query,
        "rows": build_file_rows(shown),
        **query.turns(following),
    }


def build_file_rows(files: Sequence[PaymentFile]) -> list[FileRow]:
    """Return files with the names of their institutions, and their statuses; two queries."""
    # owners are written `account:7`
    keys = {file.owner.rpartition(":")[2] for file in files}
    accounts = Account.objects.filter(pk__in=[key for key in keys if key.isdigit()])
    names = {account.ref: account.name for account in accounts}
    groups = {
        key: f"{status}: {GROUP_STATUS_LABELS[status]}"
        for key, status in load_group_statuses(files).items()
    }
    return [
        FileRow(file, names.get(file.owner, file.owner), *STATE_LABELS[file.state], groups[file.pk])
        for file in files
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class TransactionListQuery(list_pages.ListQuery):
    """Which transactions of a file."""

    outcome: str = list_pages.choice_field(Outcome.values)


@dataclass(frozen=True, slots=True)
class TransactionRow:
    """A transaction as it is drawn: with the state of its payment, where it became one."""

    line: FileTransaction
    words: str
    tone: str


def build_file_context(*, file: PaymentFile, query: TransactionListQuery) -> dict[str, Any]:
    """Return what the page of a file draws; five queries."""
    transactions = FileTransactionFilter(query.chosen, file.transactions.order_by("number")).qs
    if query.after:
        transactions = transactions.filter(number__gt=int(query.after))
    shown, last = list_pages.take_page(transactions)
    payments = load_payments_of_lines(shown, owner=file.owner)
    return {
        "title": f"Payment file {file.message_id}",
        "row": build_file_rows([file])[0],
        "file": file,
        "asked": query,
        "lines": [
            _build_transaction_row(line, payments.get(line.payment_id) if line.payment_id else None)
            for line in shown
        ],
        "size": f"{file.size:,}",
        "profile": describe_sender_profile(file.owner),
        **query.turns(str(last.number) if last else ""),
    }


def describe_sender_profile(owner: str) -> str:
    """Say how an institution writes its messages (docs/pain001.md); one query."""
    sender_profile = load_sender_profile(owner)
    sends = (
        f"for {', '.join(sorted(sender_profile.known))} alone"
        if sender_profile.known
        else "for any party"
    )
    name = "may be a wallet" if sender_profile.wallet_in_name else "is never a wallet"
    url = sender_profile.callback_url
    text = f"callback URL {url}" if url else "no callback URL"
    return f"sends {sends}; in .03 and .08 an account’s name {name}; {text}"


def _build_transaction_row(line: FileTransaction, payment: Payment | None) -> TransactionRow:
    if line.outcome == Outcome.REFUSED:
        return TransactionRow(line, "Refused", "bad")
    if payment is None:
        return TransactionRow(line, "Altered: integrity check failed", "bad")
    tones = {"SETTLED": "ok", "BLOCKED": "bad", "FAILED": "bad", "HELD": "warn"}
    return TransactionRow(
        line, payment.state.replace("_", " ").capitalize(), tones.get(payment.state, "")
    )
