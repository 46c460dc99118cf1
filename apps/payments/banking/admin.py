"""The bank at the desk: its deliveries, outgoing payments, wires by two people, reconciliations."""

from decimal import Decimal
from typing import Any, ClassVar

from django.contrib import admin
from django.contrib.auth.models import User
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from apps.access.keys import tenant_names
from apps.payments.banking import approvals
from apps.payments.banking.forms import WireForm
from apps.payments.banking.integrity import find_row_faults
from apps.payments.banking.models import BankTransaction, Kept, Recipient, Send, StatementRun, Wire
from apps.payments.banking.rules.reconciliation import DIFFERENCE_KINDS
from apps.payments.banking.selectors.known_false_positives import list_known_false_positives
from apps.payments.banking.services import wire_proposals
from apps.platform.common.clock import now
from apps.platform.desk.base_admin import NewestFirstAdmin
from apps.platform.desk.proposal_admin import ProposalAdmin
from apps.platform.ledger.verification.verified_reads import filter_verified_records

WIRE_OUTCOMES = {
    "TAKEN": "is on its way to the bank",
    "HELD": "is waiting for an officer: see its case",
    "STOPPED": "was stopped by screening and is in the SAR log",
}
DIFFERENCE_SENTENCES = {
    difference_kind.code: difference_kind.says for difference_kind in DIFFERENCE_KINDS
}


def format_dollars(amount: Decimal | None) -> str:
    """Format an amount for lists: the bank's amounts are in dollars."""
    return "" if amount is None else f"{amount:,.2f} USD"


class BankRowAdmin(NewestFirstAdmin):
    """Columns that the lists of bank rows share."""

    @admin.display(description="Amount", ordering="amount")
    def paid(self, row: BankTransaction | Send) -> str:
        return format_dollars(row.amount)

    @admin.display(description="Known false positives")
    def known(self, row: BankTransaction | Send) -> str:
        return "; ".join(list_known_false_positives(row)) or "none"

    @admin.display(description="Integrity verified", boolean=True)
    def recorded(self, row: Kept) -> bool:
        return not find_row_faults([row])


@admin.register(BankTransaction)
class BankTransactionAdmin(BankRowAdmin):
    """Transactions that the bank reported, and their progress in settlement."""

    list_display = ("resource_id", "state", "rule", "paid", "destination", "wallet", "seen_at")
    list_filter = ("state",)
    search_fields = ("=resource_id", "=quote_id", "=wallet")
    search_help_text = "Full transaction id, quote id or wallet"
    fields: ClassVar[Any] = (
        "resource_id", "state", "rule", "paid", "destination", "wallet", "quote_id", "tx_hash",
        "order_id", "seen_at", "trouble", "known", "recorded",
    )  # fmt: skip
    readonly_fields = fields


@admin.register(Send)
class SendAdmin(BankRowAdmin):
    """Payments out of accounts at the bank."""

    list_display = ("send_id", "institution", "state", "paid", "method", "to", "asked_at")
    list_filter = ("state", "way", "method")
    list_select_related = ("recipient",)
    search_fields = ("=send_id", "=bank_id", "=key", "recipient__name")
    search_help_text = "Full payment id, bank id or caller's key, or part of the payee"
    fields: ClassVar[Any] = (
        "send_id", "institution", "state", "way", "paid", "method", "to", "account_id", "note",
        "category", "bank_id", "bank_status", "asked_at", "sent_at", "trouble", "known",
        "recorded",
    )  # fmt: skip
    readonly_fields = fields

    @admin.display(description="Institution")
    def institution(self, row: Send) -> str:
        return tenant_names.load_tenant_name(row.owner)

    @admin.display(description="To")
    def to(self, row: Send) -> str:
        return str(row.recipient)


@admin.register(Recipient)
class RecipientAdmin(BankRowAdmin):
    """Whom institutions pay by the bank; of an account the last four characters are shown."""

    list_display = ("recipient_id", "institution", "state", "name", "kind", "account", "saved_at")
    list_filter = ("state", "kind")
    search_fields = ("=recipient_id", "=bank_id", "name")
    search_help_text = "Full recipient id or bank id, or part of the name"
    fields: ClassVar[Any] = (
        "recipient_id", "institution", "state", "name", "kind", "country", "account", "bank_id",
        "saved_at", "trouble", "recorded",
    )  # fmt: skip
    readonly_fields = fields

    @admin.display(description="Institution")
    def institution(self, row: Recipient) -> str:
        return tenant_names.load_tenant_name(row.owner)

    @admin.display(description="Account")
    def account(self, row: Recipient) -> str:
        return f"ending {row.tail}" if row.tail else ""


@admin.register(StatementRun)
class StatementRunAdmin(NewestFirstAdmin):
    """Reconciliations with the bank, and their differences."""

    list_display = ("recorded_at", "account_id", "since", "until", "entries", "ours", "result")
    search_fields = ("=account_id",)
    search_help_text = "Full account id"
    fields: ClassVar[Any] = (
        "recorded_at", "account_id", "since", "until", "entries", "ours", "found", "recorded",
    )  # fmt: skip
    readonly_fields = fields

    @admin.display(description="Differences", ordering="differences")
    def result(self, run: StatementRun) -> str:
        return "not compared" if run.data.get("notCompared") else str(run.differences)

    @admin.display(description="Differences")
    def found(self, run: StatementRun) -> SafeString | str:
        # a run that compared nothing has no differences either: it must not look like a clean one
        if why := run.data.get("notCompared"):
            return f"Not compared: {why}"
        rows = [
            (
                DIFFERENCE_SENTENCES.get(difference["code"], difference["code"]),
                difference["transaction"],
                _format_difference_amounts(difference),
            )
            for difference in run.data.get("differences", ())
        ]
        return format_html_join("", "<p>{} {} {}</p>", rows) or "none"

    @admin.display(description="Integrity verified", boolean=True)
    def recorded(self, run: StatementRun) -> bool:
        return bool(filter_verified_records([run]))


def _format_difference_amounts(difference: dict[str, str]) -> str:
    named = (("ours", "here"), ("theirs", "at the bank"))
    return ", ".join(f"{word} {difference[name]} USD" for name, word in named if name in difference)


@admin.register(Wire)
class WireAdmin(ProposalAdmin):
    """International wires: one senior officer proposes, another has the bank send it."""

    form = WireForm
    list_display = ("__str__", "state", "proposed_by", "decided_by")
    list_select_related = ("recipient", "proposed_by", "decided_by")
    search_fields = ("recipient__name",)
    search_help_text = "Part of the recipient's name"
    fields = (
        "recipient", "account_id", "amount", "category", "additional_info", "memo", "reason",
    )  # fmt: skip
    pending = approvals.PENDING
    turn_down = staticmethod(wire_proposals.reject_wire)
    means = staticmethod(approvals.describe_wire_effects)
    decider = "senior officer"
    asking = "Propose an international wire"

    def draft(self, said: dict[str, Any]) -> Wire:
        return wire_proposals.draft_wire(stated=said, reason=said["reason"])

    def propose(self, form: Any, by: User) -> Wire:
        cleaned_data = form.cleaned_data
        return wire_proposals.propose_wire(
            stated=cleaned_data, reason=cleaned_data["reason"], by=by, now=now()
        )

    def approve(self, change: Wire, by: User, note: str) -> str:
        row = wire_proposals.approve_wire(change=change, by=by, now=now(), note=note)
        return f"approved: payment {row.send_id} {WIRE_OUTCOMES[row.state]}."
