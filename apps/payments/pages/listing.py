"""The list of payments: what its address asks for, and one page of it by key."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet

from apps.access import tenants
from apps.callbacks import reading
from apps.callbacks.reading import WebhookStatus
from apps.core.written import day_from
from apps.desk import lists
from apps.desk.guard import FIRST_YEAR, LAST_YEAR
from apps.payments.accepting import folded
from apps.payments.models import Payment
from apps.payments.pages.records import STATES
from apps.payments.projection import unproved
from apps.registry.wallets import BadWallet, read

TONES = {"SETTLED": "ok", "HELD": "warn", "BLOCKED": "bad", "FAILED": "bad"}
LONGEST_TEXT = 140
_LEI = re.compile(r"[A-Za-z0-9]{18}[0-9]{2}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked(lists.Asked):
    """What the address asks for; what is unknown narrows nothing. Days are ISO, in UTC."""

    text: str = ""
    state: str = ""
    owner: str = ""
    since: str = ""
    until: str = ""

    @classmethod
    def read(cls, query: Any) -> "Asked":
        """Read a query string."""
        state = query.get("state", "")
        return cls(
            text=query.get("text", "").strip()[:LONGEST_TEXT],
            state=state if state in STATES else "",
            owner=query.get("owner", "")[:80],
            since=_day(query.get("since", "")),
            until=_day(query.get("until", "")),
            after=lists.number_place(query.get("after", "")),
        )

    def payments(self) -> QuerySet[Payment]:
        """Return the payments asked for, the newest first, behind the place of the address."""
        found = Payment.objects.all()
        if self.text:
            found = found.filter(is_of(self.text))
        if self.state:
            found = found.filter(state=self.state)
        if self.owner:
            found = found.filter(owner=self.owner)
        if self.since:
            found = found.filter(submitted_at__gte=_start(self.since))
        if self.until:
            found = found.filter(submitted_at__lt=_start(self.until) + timedelta(days=1))
        if self.after:
            found = found.filter(pk__lt=int(self.after))
        return found.order_by("-pk")


def is_of(text: str) -> Q:
    """Return what finds payments: reference, id, hash, LEI, wallet, beginning of a name."""
    name = folded(text)
    found = Q(reference=text) | Q(creditor_key__startswith=name) | Q(debtor_key__startswith=name)
    if (number := _uuid(text)) is not None:
        found |= Q(payment_id=number)
    if _LEI.fullmatch(text):
        found |= Q(creditor_lei=text.upper()) | Q(debtor_lei=text.upper())
    if len(text) > 40:
        found |= Q(tx_hash=text)
    try:
        wallet = read(text).address
    except BadWallet:
        return found
    return found | Q(creditor_wallet=wallet) | Q(debtor_wallet=wallet)


def _uuid(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None


def _day(text: str) -> str:
    found = day_from(text)
    return text if found and FIRST_YEAR <= found.year <= LAST_YEAR else ""


def _start(day: str) -> datetime:
    return datetime.combine(date.fromisoformat(day), time(), UTC)


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the list; `ours` is whether the payment is as its last event has it."""

    payment: Payment
    ours: bool
    client: str
    state: str
    tone: str
    creditor: str
    debtor: str
    amount: str
    callback: WebhookStatus | None


@dataclass(frozen=True, slots=True)
class Page:
    """One page of the list; `following` is the place of the next one, "" on the last."""

    rows: list[Row]
    following: str


def page(asked: Asked) -> Page:
    """Return one page of payments with their institutions and callbacks; four queries."""
    shown, last = lists.cut(asked.payments())
    return Page(rows(shown), str(last.pk) if last else "")


def rows(shown: Sequence[Payment]) -> list[Row]:
    """Return payments as they are drawn; three queries, however many."""
    wrong = set(unproved(list(shown)))
    names = tenants.names({one.owner for one in shown})
    called = reading.status_of(subjects=[one.payment_id for one in shown if one.callback_url])
    return [
        Row(
            payment=one,
            ours=one.pk not in wrong,
            client=names.get(one.owner, one.owner),
            state=STATES.get(one.state, one.state),
            tone=TONES.get(one.state, ""),
            creditor=name_of(one, "creditor"),
            debtor=name_of(one, "debtor"),
            amount=amount_of(one),
            callback=called.get(one.payment_id),
        )
        for one in shown
    ]


def amount_of(payment: Payment) -> str:
    """Return what was instructed in words."""
    return f"{payment.amount:,.2f} {payment.currency}"


def name_of(payment: Payment, side: str) -> str:
    """Return a party's name as it was instructed."""
    return str(payment.instruction.get(side, {}).get("name", "")) or "purged"
