"""Pages of settlements, and of settlement access: proposed by one officer, decided by another."""

from typing import Any, ClassVar

from django.contrib import admin
from django.contrib.auth.models import User
from django.http import HttpRequest

from apps.access.keys import tenant_names
from apps.payments.settlement.case_links import STATE_LABELS
from apps.payments.settlement.institution_access import approvals, selectors
from apps.payments.settlement.institution_access.forms import AccessForm
from apps.payments.settlement.institution_access.services import access_changes
from apps.payments.settlement.models import AccessChange, Settlement, SettlementAccess
from apps.payments.settlement.views import settlement_list
from apps.payments.settlement.views.settlement_page import build_settlement_context
from apps.platform.common.clock import now
from apps.platform.desk.base_admin import ReadOnlyAdmin
from apps.platform.desk.list_pages import ListPage
from apps.platform.desk.proposal_admin import ProposalAdmin
from apps.platform.desk.record_list_admin import ChoiceFilter, RecordListAdmin


@admin.register(Settlement)
class SettlementAdmin(RecordListAdmin):
    """Every settlement in its current state, with its events."""

    # without it the admin's autocomplete would answer differently for this model
    search_fields = ("=reference",)
    list_title = "Settlements"
    list_template = "settlement/list.html"
    list_query = settlement_list.SettlementListQuery
    record_template = "settlement/settlement.html"

    def build_page(self, query: settlement_list.SettlementListQuery, user: User) -> ListPage:
        return settlement_list.build_settlement_page(query)

    def list_filters(self, query: settlement_list.SettlementListQuery) -> list[ChoiceFilter]:
        return [
            ("state", "Any status", STATE_LABELS, query.state),
            (
                "owner",
                "Any institution",
                tenant_names.list_tenant_choices(query.owner),
                query.owner,
            ),
            ("kind", "All", settlement_list.KINDS, query.kind),
        ]

    def build_record_context(self, record: Settlement, user: User) -> dict[str, Any]:
        return build_settlement_context(row=record, user=user)


@admin.register(SettlementAccess)
class SettlementAccessAdmin(ReadOnlyAdmin):
    """Current settlement access in production."""

    list_display = ("institution", "allowed", "version", "changed_at", "recorded")
    search_fields = ("=owner",)
    fields: ClassVar[Any] = (
        "institution", "allowed", "from_wallets", "version", "changed_at", "recorded",
    )  # fmt: skip
    readonly_fields = fields

    @admin.display(description="Institution")
    def institution(self, row: SettlementAccess) -> str:
        return tenant_names.load_tenant_name(row.owner)

    @admin.display(description="Settlement wallets")
    def from_wallets(self, row: SettlementAccess) -> str:
        return approvals.format_access_value("wallets", row.wallets)

    @admin.display(description="Integrity verified", boolean=True)
    def recorded(self, row: SettlementAccess) -> bool:
        return not selectors.has_integrity_fault(row.owner, row)


@admin.register(AccessChange)
class AccessChangeAdmin(ProposalAdmin):
    """Proposals: one senior officer makes them, another decides."""

    form = AccessForm
    list_display = ("__str__", "institution", "state", "proposed_by", "decided_by")
    fields = ("owner", "allowed", "wallets", "reason")
    pending = approvals.PENDING
    turn_down = staticmethod(access_changes.reject_access_change)
    means = staticmethod(approvals.describe_consequences)
    decider = "senior officer"
    asking = "Propose settlement access"

    @admin.display(description="Institution")
    def institution(self, row: AccessChange) -> str:
        return tenant_names.load_tenant_name(row.owner)

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        """Start with the current access, if one is named."""
        settlement_access = SettlementAccess.objects.filter(
            owner=request.GET.get("owner", "")[:80]
        ).first()
        return settlement_access.stated() if settlement_access else {}

    def draft(self, said: dict[str, Any]) -> AccessChange:
        return access_changes.draft_access_change(stated=said, reason=said["reason"])

    def propose(self, form: Any, by: User) -> AccessChange:
        cleaned_data = form.cleaned_data
        return access_changes.propose_access_change(
            stated=cleaned_data, reason=cleaned_data["reason"], by=by, now=now()
        )

    def approve(self, change: AccessChange, by: User, note: str) -> str:
        row = access_changes.approve_access_change(change=change, by=by, now=now(), note=note)
        return f"approved: version {row.version} is in force."
