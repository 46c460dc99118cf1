"""The bank at the desk: what it told, what was sent, wires of two people, comparisons."""

from typing import Any, ClassVar, cast

from django.contrib import admin
from django.contrib.auth.models import User
from django.http import HttpRequest
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from apps.access import tenants
from apps.banking import approvals, wires
from apps.banking.forms import WireForm
from apps.banking.models import BankTransaction, Send, StatementRun, Wire
from apps.banking.projection import faults
from apps.banking.rules.reconciling import KINDS
from apps.core.chain import proven
from apps.core.clock import now
from apps.desk.approvals import Waiting
from apps.desk.pages import ReadOnly
from apps.desk.proposals import ProposalAdmin

SAYS = {one.code: one.says for one in KINDS}


@admin.register(BankTransaction)
class BankTransactionAdmin(ReadOnly):
    """What the bank told of, and how far it went into settlement."""

    list_display = ("resource_id", "state", "rule", "amount", "destination", "wallet", "seen_at")
    list_filter = ("state",)
    search_fields = ("=resource_id", "=quote_id", "=wallet")
    search_help_text = "A whole transaction, quote or wallet"
    list_per_page = 50
    show_full_result_count = False
    ordering = ("-pk",)
    fields: ClassVar[Any] = (
        "resource_id", "state", "rule", "amount", "destination", "wallet", "quote_id", "tx_hash",
        "order_id", "seen_at", "trouble", "recorded",
    )  # fmt: skip
    readonly_fields = fields

    @admin.display(description="As it was recorded", boolean=True)
    def recorded(self, row: BankTransaction) -> bool:
        return not faults([row])


@admin.register(Send)
class SendAdmin(ReadOnly):
    """Payments out of accounts at the bank."""

    list_display = ("send_id", "institution", "state", "amount", "method", "to", "asked_at")
    list_filter = ("state", "way", "method")
    list_select_related = ("recipient",)
    search_fields = ("=send_id", "=bank_id", "=key")
    search_help_text = "A whole payment id, the bank's, or the caller's key"
    list_per_page = 50
    show_full_result_count = False
    ordering = ("-pk",)
    fields: ClassVar[Any] = (
        "send_id", "institution", "state", "way", "amount", "method", "to", "account_id", "note",
        "category", "bank_id", "bank_status", "asked_at", "sent_at", "trouble", "recorded",
    )  # fmt: skip
    readonly_fields = fields

    @admin.display(description="Institution")
    def institution(self, row: Send) -> str:
        return tenants.name(row.owner)

    @admin.display(description="To")
    def to(self, row: Send) -> str:
        return str(row.recipient)

    @admin.display(description="As it was recorded", boolean=True)
    def recorded(self, row: Send) -> bool:
        return not faults([row])


@admin.register(StatementRun)
class StatementRunAdmin(ReadOnly):
    """Comparisons with the bank, and what differed."""

    list_display = ("recorded_at", "account_id", "since", "until", "entries", "ours", "differences")
    search_fields = ("=account_id",)
    search_help_text = "A whole account"
    list_per_page = 50
    show_full_result_count = False
    ordering = ("-pk",)
    fields: ClassVar[Any] = (
        "recorded_at", "account_id", "since", "until", "entries", "ours", "found", "recorded",
    )  # fmt: skip
    readonly_fields = fields

    @admin.display(description="Differences")
    def found(self, run: StatementRun) -> SafeString | str:
        rows = [
            (SAYS.get(one["code"], one["code"]), one["transaction"], _amounts(one))
            for one in run.data.get("differences", ())
        ]
        return format_html_join("", "<p>{} {} {}</p>", rows) or "none"

    @admin.display(description="As it was recorded", boolean=True)
    def recorded(self, run: StatementRun) -> bool:
        return bool(proven([run]))


def _amounts(one: dict[str, str]) -> str:
    named = (("ours", "here"), ("theirs", "at the bank"))
    return ", ".join(f"{word} {one[name]} USD" for name, word in named if name in one)


@admin.register(Wire)
class WireAdmin(ProposalAdmin):
    """International wires: one senior officer proposes, another has it sent."""

    form = WireForm
    list_display = ("__str__", "state", "proposed_by", "decided_by")
    list_select_related = ("recipient", "proposed_by", "decided_by")
    fields = (
        "recipient", "account_id", "amount", "category", "additional_info", "memo", "reason",
    )  # fmt: skip
    decider = "senior officer"
    asking = "Propose an international wire"

    def draft(self, said: dict[str, Any]) -> Wire:
        return wires.draft(stated=said, reason=said["reason"])

    def told(self, change: Wire) -> Waiting:  # a hook of ProposalAdmin
        return approvals.waiting(change)

    def means(self, change: Wire) -> tuple[str, ...]:
        return approvals.means(change)

    def save_model(self, request: HttpRequest, obj: Wire, form: Any, change: bool) -> None:
        said = form.cleaned_data
        made = wires.propose(
            stated=said, reason=said["reason"], by=cast(User, request.user), now=now()
        )
        obj.pk = made.pk

    def approve(self, change: Wire, by: User, note: str) -> str:
        row = wires.approve(change=change, by=by, now=now(), note=note)
        return f"approved: payment {row.send_id} is on its way to the bank."

    def reject(self, change: Wire, by: User, note: str) -> None:
        wires.reject(change=change, by=by, now=now(), note=note)
