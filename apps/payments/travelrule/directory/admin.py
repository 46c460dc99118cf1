"""Pages of the directory of counterparties."""

from typing import Any, ClassVar
from urllib.parse import urlencode

from django.contrib import admin
from django.contrib.auth.models import User
from django.http import HttpRequest
from django.urls import reverse

from apps.payments.travelrule.directory import approvals, selectors, services
from apps.payments.travelrule.directory.forms import VaspForm
from apps.payments.travelrule.models import Vasp, VaspChange
from apps.payments.travelrule.rules.directory import ENTRY_FIELDS
from apps.platform.common.clock import now
from apps.platform.desk.base_admin import ReadOnlyAdmin
from apps.platform.desk.proposal_admin import ProposalAdmin


@admin.register(Vasp)
class VaspAdmin(ReadOnlyAdmin):
    """The current entries."""

    change_form_template = "travelrule/vasp.html"
    list_display = ("name", "lei", "dialect", "valid_from", "valid_until", "version")
    list_filter: ClassVar[Any] = ("dialect",)
    search_fields = ("name", "lei")
    fields: ClassVar[Any] = (
        "name", "lei", "endpoint", "dialect_read", "valid_from", "valid_until", "serves_wallets",
        "serves_leis", "secrets", "version", "changed_at",
    )  # fmt: skip
    readonly_fields = fields

    @admin.display(description="Message dialect")
    def dialect_read(self, vasp: Vasp) -> str:
        return approvals.format_entry_value("dialect", vasp.dialect)

    @admin.display(description="Wallets served")
    def serves_wallets(self, vasp: Vasp) -> str:
        return approvals.format_entry_value("wallets", vasp.wallets)

    @admin.display(description="Customer LEIs")
    def serves_leis(self, vasp: Vasp) -> str:
        return approvals.format_entry_value("leis", vasp.leis)

    @admin.display(description="Active shared secrets")
    def secrets(self, vasp: Vasp) -> str:
        # beginnings of ids, by which officers tell secrets apart; the secrets are never shown
        return ", ".join(key[:8] for key in vasp.keys) or "none"

    def record_context(self, request: HttpRequest, record: Vasp) -> dict[str, Any]:
        """Say whether the entry is as it was recorded, and lead to a change of it."""
        shown: dict[str, Any] = {"altered": not selectors.select_verified_entries([record])}
        if request.user.has_perm("travelrule.propose_vaspchange"):
            page = reverse("admin:travelrule_vaspchange_add")
            shown["propose"] = f"{page}?{urlencode({'lei': record.lei})}"
        return shown


@admin.register(VaspChange)
class VaspChangeAdmin(ProposalAdmin):
    """Proposals: one senior officer makes them, another decides."""

    form = VaspForm
    list_display = ("__str__", "lei", "state", "proposed_by", "decided_by")
    fields = (*ENTRY_FIELDS, "secret", "sealed", "drop_older", "reason")
    pending = approvals.PENDING
    turn_down = staticmethod(services.reject_change)
    means = staticmethod(approvals.describe_change_effects)
    decider = "senior officer"
    asking = "Propose a directory entry"

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        """Begin with the current entry, if one is named."""
        vasp = Vasp.objects.filter(lei=request.GET.get("lei", "")[:20]).first()
        return vasp.stated() if vasp else {}

    def draft(self, said: dict[str, Any]) -> VaspChange:
        key = said.get("sealed", "").partition(":")[0]
        return services.draft_change(
            stated=said, reason=said["reason"], new_key=key, drop_older=said["drop_older"]
        )

    def propose(self, form: Any, by: User) -> VaspChange:
        cleaned_data = form.cleaned_data
        return services.propose_change(
            stated=cleaned_data,
            reason=cleaned_data["reason"],
            by=by,
            now=now(),
            key=form.key(),
            drop_older=cleaned_data["drop_older"],
        )

    def approve(self, change: VaspChange, by: User, note: str) -> str:
        vasp = services.approve_change(change=change, by=by, now=now(), note=note)
        return f"approved: version {vasp.version} is in force."
