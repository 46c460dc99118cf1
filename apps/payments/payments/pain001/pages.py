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


def build_file_list(asked: FileListQuery) -> dict[str, Any]:
    """Return what the list draws; three queries."""
    found = PaymentFile.objects.all()
    if asked.find:
        found = found.filter(Q(message_id=asked.find) | Q(digest=asked.find.lower()))
    if asked.only == "refused":
        found = found.filter(refused__gt=0)
    elif asked.only == "working":
        found = found.filter(finished_at=None)
    shown, last = list_pages.take_page(asked.behind(found))
    following = str(last.pk) if last else ""
    return {
        "title": "Payment files",
        "asked": asked,
        "rows": build_file_rows(shown),
        **asked.turns(following),
    }


def build_file_rows(files: Sequence[PaymentFile]) -> list[FileRow]:
    """Return files with the names of their institutions, and their statuses; two queries."""
    keys = {file.owner.rpartition(":")[2] for file in files}
    accounts = Account.objects.filter(pk__in=[key for key in keys if key.isdigit()])
    names = {account.ref: account.name for account in accounts}
    groups = {
        key: f"{one}: {GROUP_STATUS_LABELS[one]}" for key, one in load_group_statuses(files).items()
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


def build_file_context(*, file: PaymentFile, asked: TransactionListQuery) -> dict[str, Any]:
    """Return what the page of a file draws; five queries."""
    found = FileTransactionFilter(asked.chosen, file.transactions.order_by("number")).qs
    if asked.after:
        found = found.filter(number__gt=int(asked.after))
    shown, last = list_pages.take_page(found)
    payments = load_payments_of_lines(shown, owner=file.owner)
    return {
        "title": f"Payment file {file.message_id}",
        "row": build_file_rows([file])[0],
        "file": file,
        "asked": asked,
        "lines": [
            _build_transaction_row(line, payments.get(line.payment_id) if line.payment_id else None)
            for line in shown
        ],
        "size": f"{file.size:,}",
        "profile": describe_sender_profile(file.owner),
        **asked.turns(str(last.number) if last else ""),
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
    told = f"callback URL {url}" if url else "no callback URL"
    return f"sends {sends}; in .03 and .08 an account’s name {name}; {told}"


def _build_transaction_row(line: FileTransaction, payment: Payment | None) -> TransactionRow:
    if line.outcome == Outcome.REFUSED:
        return TransactionRow(line, "Refused", "bad")
    if payment is None:
        return TransactionRow(line, "Altered: integrity check failed", "bad")
    tones = {"SETTLED": "ok", "BLOCKED": "bad", "FAILED": "bad", "HELD": "warn"}
    return TransactionRow(
        line, payment.state.replace("_", " ").capitalize(), tones.get(payment.state, "")
    )
