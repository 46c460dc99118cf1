"""The list of payments: what its address asks for, and one page of it by key."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from django.db.models import Q, QuerySet

from apps.access.keys import tenant_names
from apps.compliance.payees.wallets import BadWallet, parse_wallet
from apps.payments.callbacks.selectors import webhook_statuses
from apps.payments.callbacks.selectors.webhook_statuses import WebhookStatus
from apps.payments.payments.case_links import STATE_LABELS
from apps.payments.payments.integrity import find_altered_payments
from apps.payments.payments.models import Payment
from apps.payments.payments.services.accept_payment import fold_name
from apps.platform.common.days import start_of_day
from apps.platform.common.uuids import parse_uuid
from apps.platform.desk import list_pages

TONES = {"SETTLED": "ok", "HELD": "warn", "BLOCKED": "bad", "FAILED": "bad"}
LONGEST_TEXT = 140
_LEI = re.compile(r"[A-Za-z0-9]{18}[0-9]{2}")


@dataclass(frozen=True, slots=True, kw_only=True)
class PaymentListQuery(list_pages.ListQuery):
    """What the address asks for; what is unknown narrows nothing. Days are ISO, in UTC."""

    text: str = list_pages.text_field(LONGEST_TEXT)
    state: str = list_pages.choice_field(STATE_LABELS)
    owner: str = list_pages.value_field(80)
    since: str = list_pages.filter_field(list_pages.parse_day_filter)
    until: str = list_pages.filter_field(list_pages.parse_day_filter)

    def payments(self) -> QuerySet[Payment]:
        """Return the requested payments, the newest first, after the cursor of the address."""
        rows = self.narrow(Payment.objects.all(), "state", "owner")
        if self.text:
            rows = rows.filter(payment_search_filter(self.text))
        if self.since:
            rows = rows.filter(submitted_at__gte=start_of_day(date.fromisoformat(self.since)))
        if self.until:
            rows = rows.filter(
                submitted_at__lt=start_of_day(date.fromisoformat(self.until)) + timedelta(days=1)
            )
        return self.behind(rows)


def payment_search_filter(text: str) -> Q:
    """Return what finds payments: reference, id, hash, LEI, wallet, beginning of a name."""
    name = fold_name(text)
    condition = (
        Q(reference=text) | Q(creditor_key__startswith=name) | Q(debtor_key__startswith=name)
    )
    if (number := parse_uuid(text)) is not None:
        condition |= Q(payment_id=number)
    if _LEI.fullmatch(text):
        condition |= Q(creditor_lei=text.upper()) | Q(debtor_lei=text.upper())
    # shorter texts are no hash of a chain, and no id of the sandbox rail
    if len(text) > 40:
        condition |= Q(tx_hash=text)
    try:
        wallet = parse_wallet(text).address
    except BadWallet:
        return condition
    return condition | Q(creditor_wallet=wallet) | Q(debtor_wallet=wallet)


@dataclass(frozen=True, slots=True)
class PaymentRow:
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


def build_payment_page(query: PaymentListQuery) -> list_pages.ListPage:
    """Return one page of payments with their institutions and callbacks; four queries."""
    shown, last = list_pages.take_page(query.payments())
    return list_pages.build_list_page(build_payment_rows(shown), last)


def build_payment_rows(shown: Sequence[Payment]) -> list[PaymentRow]:
    """Return payments as they are drawn; three queries, however many."""
    wrong = set(find_altered_payments(list(shown)))
    names = tenant_names.load_tenant_names({payment.owner for payment in shown})
    called = webhook_statuses.load_webhook_statuses(
        subjects=[payment.payment_id for payment in shown if payment.callback_url]
    )
    return [
        PaymentRow(
            payment=payment,
            ours=payment.pk not in wrong,
            client=names.get(payment.owner, payment.owner),
            state=STATE_LABELS.get(payment.state, payment.state),
            tone=TONES.get(payment.state, ""),
            creditor=party_name_of(payment, "creditor"),
            debtor=party_name_of(payment, "debtor"),
            amount=format_payment_amount(payment),
            callback=called.get(payment.payment_id),
        )
        for payment in shown
    ]


def format_payment_amount(payment: Payment) -> str:
    """Return what was instructed in words."""
    return f"{payment.amount:,.2f} {payment.currency}"


def party_name_of(payment: Payment, side: str) -> str:
    """Return a party's name as it was instructed."""
    return str(payment.instruction.get(side, {}).get("name", "")) or "purged"
