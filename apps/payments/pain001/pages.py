"""Payment files on the desk: their list, and one with what became of its transactions."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Q

from apps.access.models import Account
from apps.desk import lists
from apps.payments.models import Payment
from apps.payments.pain001.models import FileTransaction, Outcome, PaymentFile, profile_of
from apps.payments.pain001.pain002 import payments_of
from apps.payments.pain001.statuses import group_statuses

STATES = {
    "WORKING": ("Being worked off", "warn"),
    "STOPPED": ("Stopped", "bad"),
    "DONE": ("Done", "ok"),
}
GROUPS = {
    "ACTC": "received and valid",
    "ACCP": "taken as a whole",
    "PART": "rejected in part",
    "RJCT": "rejected as a whole",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked(lists.Asked):
    """Which files: those of a MsgId or of bytes (SHA-256), those with refusals, those at work."""

    find: str = ""
    only: str = ""

    @classmethod
    def read(cls, query: Any) -> "Asked":
        """Read a query string; what is unknown narrows nothing."""
        only = query.get("only", "")
        return cls(
            find=query.get("find", "").strip()[:64],
            only=only if only in ("refused", "working") else "",
            after=lists.number_place(query.get("after", "")),
        )


@dataclass(frozen=True, slots=True)
class Row:
    """A file as it is drawn."""

    file: PaymentFile
    client: str
    state: str
    tone: str
    group: str


def listing(asked: Asked) -> dict[str, Any]:
    """Return what the list draws; three queries."""
    found = PaymentFile.objects.all()
    if asked.find:
        found = found.filter(Q(message_id=asked.find) | Q(digest=asked.find.lower()))
    if asked.only == "refused":
        found = found.filter(refused__gt=0)
    elif asked.only == "working":
        found = found.filter(finished_at=None)
    if asked.after:
        found = found.filter(pk__lt=int(asked.after))
    shown, last = lists.cut(found)
    following = str(last.pk) if last else ""
    return {
        "title": "Payment files",
        "asked": asked,
        "rows": rows_of(shown),
        **asked.turns(following),
    }


def rows_of(files: Sequence[PaymentFile]) -> list[Row]:
    """Return files with the names of their institutions, and their statuses; two queries."""
    keys = {file.owner.rpartition(":")[2] for file in files}
    accounts = Account.objects.filter(pk__in=[key for key in keys if key.isdigit()])
    names = {account.ref: account.name for account in accounts}
    groups = {key: f"{one}: {GROUPS[one]}" for key, one in group_statuses(files).items()}
    return [
        Row(file, names.get(file.owner, file.owner), *STATES[file.state], groups[file.pk])
        for file in files
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class LinesAsked(lists.Asked):
    """Which transactions of a file."""

    outcome: str = ""

    @classmethod
    def read(cls, query: Any) -> "LinesAsked":
        """Read a query string; what is unknown narrows nothing."""
        outcome = query.get("outcome", "")
        return cls(
            outcome=outcome if outcome in Outcome.values else "",
            after=lists.number_place(query.get("after", "")),
        )


@dataclass(frozen=True, slots=True)
class Line:
    """A transaction as it is drawn: with the state of its payment, where it became one."""

    line: FileTransaction
    words: str
    tone: str


def context(*, file: PaymentFile, asked: LinesAsked) -> dict[str, Any]:
    """Return what the page of a file draws; five queries."""
    found = file.transactions.order_by("number")
    if asked.outcome:
        found = found.filter(outcome=asked.outcome)
    if asked.after:
        found = found.filter(number__gt=int(asked.after))
    shown, last = lists.cut(found)
    payments = payments_of(shown, owner=file.owner)
    return {
        "title": f"Payment file {file.message_id}",
        "row": rows_of([file])[0],
        "file": file,
        "asked": asked,
        "lines": [
            _line(line, payments.get(line.payment_id) if line.payment_id else None)
            for line in shown
        ],
        "size": f"{file.size:,}",
        "profile": profile(file.owner),
        **asked.turns(str(last.number) if last else ""),
    }


def profile(owner: str) -> str:
    """Say how an institution writes its messages (docs/pain001.md); one query."""
    kept = profile_of(owner)
    sends = f"for {', '.join(sorted(kept.known))} alone" if kept.known else "for any party"
    name = "may be a wallet" if kept.wallet_in_name else "is never a wallet"
    url = kept.callback_url
    told = f"{url} is called at the end" if url else "nothing is called at the end"
    return f"sends {sends}; in .03 an account’s name {name}; {told}"


def _line(line: FileTransaction, payment: Payment | None) -> Line:
    if line.outcome == Outcome.REFUSED:
        return Line(line, "Refused", "bad")
    if payment is None:
        return Line(line, "Altered: not as it was recorded", "bad")
    tones = {"SETTLED": "ok", "BLOCKED": "bad", "FAILED": "bad", "HELD": "warn"}
    return Line(line, payment.state.replace("_", " ").capitalize(), tones.get(payment.state, ""))
