"""Pages of the AML engine: screens, wallets, decisions, and weights that two seniors change."""

from datetime import UTC, datetime
from typing import Any

from django.contrib import admin
from django.contrib.auth.models import User
from django.http import HttpRequest
from django.utils.html import format_html_join
from django.utils.safestring import mark_safe

from apps.access.keys import tenant_names
from apps.compliance.aml import approvals
from apps.compliance.aml.case_links import list_related_pages
from apps.compliance.aml.expected_activity import approvals as activity_approvals
from apps.compliance.aml.expected_activity import selectors, services
from apps.compliance.aml.expected_activity.approvals import describe_line
from apps.compliance.aml.expected_activity.forms import ActivityForm
from apps.compliance.aml.forms import WeightForm
from apps.compliance.aml.models import (
    ActivityChange,
    ActivityDeclaration,
    AmlScreen,
    Label,
    WalletProfile,
    WeightChange,
    WeightRecord,
)
from apps.compliance.aml.rules.expected_activity import KIND_BY_CODE
from apps.compliance.aml.rules.scorecard import POINT, maturity_of_count, risk_at
from apps.compliance.aml.rules.signal_context import format_stored_amount
from apps.compliance.aml.rules.signals import BY_ID
from apps.compliance.aml.services import weight_changes
from apps.compliance.aml.views import screen_columns
from apps.platform.common.clock import now, to_epoch_seconds
from apps.platform.common.money import from_micro
from apps.platform.desk.base_admin import ReadOnlyAdmin
from apps.platform.desk.proposal_admin import ProposalAdmin


class ViewerAdmin(ReadOnlyAdmin):
    """Pages that show links only to what the person who looks may open."""

    def get_object(self, request: HttpRequest, object_id: Any, from_field: Any = None) -> Any:
        row = super().get_object(request, object_id, from_field)
        if row is not None:
            # display methods get the row alone, and must know whose links to draw
            row.viewer = request.user
        return row


def _get_viewer(row: Any) -> User | None:
    return getattr(row, "viewer", None)


@admin.register(AmlScreen)
class AmlScreenAdmin(ViewerAdmin):
    """AML screens, the newest first, each with what was known and what decided."""

    list_display = ("recorded_at", "wallet", "counterparty", "amount", "answered", "screen_id")
    list_filter = ("action", "cohort", "sampled")
    search_fields = ("=wallet", "=screen_id")
    search_help_text = "Full wallet address or screenId"
    show_full_result_count = False
    fields = (
        "answered",
        "why",
        "payment",
        "client",
        "own",
        "other",
        "signals",
        "maturity",
        "behind",
        "screen_id",
        "weighed",
        "once",
        "chance",
        "recorded_at",
    )

    @admin.display(description="Answered")
    def answered(self, screen: AmlScreen) -> str:
        return screen_columns.describe_answer(screen)

    @admin.display(description="Why")
    def why(self, screen: AmlScreen) -> str:
        return screen_columns.describe_deciding_rule(screen)

    @admin.display(description="Amount")
    def amount(self, screen: AmlScreen) -> str:
        request = screen.data.get("request") or {}
        return (
            f"{format_stored_amount(request['amount'])} {request['currency']}"
            if "amount" in request
            else "purged"
        )

    @admin.display(description="Payment")
    def payment(self, screen: AmlScreen) -> str:
        return screen_columns.describe_payment(screen)

    @admin.display(description="Client")
    def client(self, screen: AmlScreen) -> str:
        return tenant_names.load_tenant_names([screen.owner]).get(screen.owner, screen.owner)

    @admin.display(description="Wallet")
    def own(self, screen: AmlScreen) -> str:
        return screen_columns.link_wallet(screen.wallet, _get_viewer(screen))

    @admin.display(description="Counterparty")
    def other(self, screen: AmlScreen) -> str:
        return screen_columns.link_wallet(screen.counterparty, _get_viewer(screen))

    @admin.display(description="Signals")
    def signals(self, screen: AmlScreen) -> str:
        return screen_columns.describe_signals(screen)

    @admin.display(description="Maturity of the wallet before it")
    def maturity(self, screen: AmlScreen) -> str:
        return screen.cohort.title()

    @admin.display(description="Pages behind it")
    def behind(self, screen: AmlScreen) -> str:
        return screen_columns.link_related_pages(screen, _get_viewer(screen))

    @admin.display(description="Weights")
    def weighed(self, screen: AmlScreen) -> str:
        version = f"version {screen.weights}" if screen.weights else "as first set"
        return f"rules {screen.rules_version}, weights {version}"

    @admin.display(description="Counted in the profiles")
    def once(self, screen: AmlScreen) -> str:
        return "by this screen" if screen.counted else "by another screen or not at all"

    @admin.display(description="Randomly selected for review")
    def chance(self, screen: AmlScreen) -> str:
        return "yes" if screen.sampled else "no"


@admin.register(WalletProfile)
class WalletProfileAdmin(ViewerAdmin):
    """Wallet profiles."""

    list_display = ("wallet", "payments", "known_against", "updated_at")
    list_filter = ("standing",)
    search_fields = ("=wallet",)
    search_help_text = "Full wallet address"
    show_full_result_count = False
    fields = (
        "wallet",
        "known_against",
        "risk",
        "maturity",
        "payments",
        "volume",
        "met",
        "first",
        "last_seen",
        "pages",
    )

    @admin.display(description="Standing")
    def known_against(self, row: WalletProfile) -> str:
        return row.get_standing_display() if row.standing else "No adverse information"

    @admin.display(description="Running risk")
    def risk(self, row: WalletProfile) -> str:
        return f"{min(100, risk_at(row.profile, to_epoch_seconds(now())) // POINT)} of 100"

    @admin.display(description="Maturity")
    def maturity(self, row: WalletProfile) -> str:
        return maturity_of_count(row.profile.solid).name.title()

    @admin.display(description="Volume")
    def volume(self, row: WalletProfile) -> str:
        return f"{from_micro(row.profile.volume):,.2f} USD, both ways"

    @admin.display(description="Counterparties")
    def met(self, row: WalletProfile) -> str:
        return str(row.profile.met)

    @admin.display(description="First payment")
    def first(self, row: WalletProfile) -> str:
        return _format_moment(row.profile.first_at)

    @admin.display(description="Last payment")
    def last_seen(self, row: WalletProfile) -> str:
        return _format_moment(row.profile.last_at)

    @admin.display(description="Pages")
    def pages(self, row: WalletProfile) -> str:
        return screen_columns.link_wallet_lists(row, _get_viewer(row))


def _format_moment(at: int) -> str:
    return f"{datetime.fromtimestamp(at, UTC):%d %b %Y %H:%M} UTC" if at else "none"


@admin.register(Label)
class LabelAdmin(ViewerAdmin):
    """What officers found of screens, as the weights are learnt from it."""

    list_display = ("decided_at", "found", "maturity", "held", "chance")
    list_filter = ("cohort", "bad", "sampled")
    fields = ("found", "decided_at", "maturity", "held", "chance", "behind")

    @admin.display(description="Found")
    def found(self, label: Label) -> str:
        return "found bad" if label.bad else "found good"

    @admin.display(description="Maturity")
    def maturity(self, label: Label) -> str:
        return label.cohort.title()

    @admin.display(description="Signals triggered")
    def held(self, label: Label) -> str:
        names = label.signals.split()
        return ", ".join(BY_ID[name].title for name in names if name in BY_ID) or "none"

    @admin.display(description="Randomly selected")
    def chance(self, label: Label) -> str:
        return "yes" if label.sampled else "no"

    @admin.display(description="Screen and case")
    def behind(self, label: Label) -> str:
        viewer = _get_viewer(label)
        pages = list_related_pages(str(label.screen_id), viewer) if viewer else []
        links = format_html_join(", ", '<a href="{}">{}</a>', ((to, name) for name, to in pages))
        return links or "none"


@admin.register(WeightRecord)
class WeightRecordAdmin(ReadOnlyAdmin):
    """Versions of the weights; the newest is in force."""

    list_display = ("version", "rules_version", "recorded_at")
    fields = ("version", "rules_version", "recorded_at", "moved", "points")

    @admin.display(description="Changes and reasons")
    def moved(self, row: WeightRecord) -> str:
        return screen_columns.describe_weight_moves(row)

    @admin.display(description="All weights, in points")
    def points(self, row: WeightRecord) -> str:
        return screen_columns.render_weight_table(row)


@admin.register(WeightChange)
class WeightChangeAdmin(ProposalAdmin):
    """Proposals: one senior officer makes them, another decides."""

    form = WeightForm
    list_display = ("__str__", "state", "proposed_by", "decided_by")
    pending = approvals.PENDING
    turn_down = staticmethod(weight_changes.reject_weight_change)
    means = staticmethod(approvals.describe_consequences)
    decider = "senior officer"
    asking = "Propose new weights"

    def draft(self, said: dict[str, Any]) -> WeightChange:
        change = weight_changes.draft_weight_change(now=now(), returns_to=said.get("returns_to"))
        change.reason = said.get("reason", "")
        return change

    def propose(self, form: Any, by: User) -> WeightChange:
        return weight_changes.propose_weight_change(by=by, now=now(), **form.cleaned_data)

    def approve(self, change: WeightChange, by: User, note: str) -> str:
        record = weight_changes.approve_weight_change(change=change, by=by, now=now(), note=note)
        return f"approved: weights {record.version} are in force."


@admin.register(ActivityDeclaration)
class ActivityDeclarationAdmin(ReadOnlyAdmin):
    """The current expected activity of institutions."""

    list_display = ("institution", "kinds", "version", "changed_at", "recorded")
    search_fields = ("=owner",)
    search_help_text = "Full reference, such as account:7"
    fields = ("institution", "of", "kinds", "version", "changed_at", "recorded")

    @admin.display(description="Institution")
    def institution(self, row: ActivityDeclaration) -> str:
        return tenant_names.load_tenant_name(row.owner)

    @admin.display(description="Wallets and LEIs")
    def of(self, row: ActivityDeclaration) -> str:
        return (
            format_html_join(mark_safe("<br>"), "{}", ((account,) for account in row.accounts))
            or "none"
        )

    @admin.display(description="Payments per month")
    def kinds(self, row: ActivityDeclaration) -> str:
        rows = ((KIND_BY_CODE[line["kind"]].title, describe_line(line)) for line in row.lines)
        return format_html_join(mark_safe("<br>"), "{}: {}", rows) or "nothing"

    @admin.display(description="Integrity verified", boolean=True)
    def recorded(self, row: ActivityDeclaration) -> bool:
        return not selectors.has_integrity_fault(row.owner, row)


@admin.register(ActivityChange)
class ActivityChangeAdmin(ProposalAdmin):
    """Proposals: one senior officer makes them, another decides."""

    form = ActivityForm
    list_display = ("__str__", "institution", "state", "proposed_by", "decided_by")
    fields = ("owner", "accounts", "lines", "history", "reason")
    pending = activity_approvals.PENDING
    turn_down = staticmethod(services.reject_change)
    means = staticmethod(activity_approvals.describe_consequences)
    decider = "senior officer"
    asking = "Propose expected activity for an institution"

    @admin.display(description="Institution")
    def institution(self, row: ActivityChange) -> str:
        return tenant_names.load_tenant_name(row.owner)

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        """Start with the current declaration, if one is given."""
        activity_declaration = ActivityDeclaration.objects.filter(
            # no longer than the column: addresses may hold anything
            owner=request.GET.get("owner", "")[:80]
        ).first()
        return activity_declaration.stated() if activity_declaration else {}

    def draft(self, said: dict[str, Any]) -> ActivityChange:
        return services.draft_change(stated=said, reason=said["reason"])

    def propose(self, form: Any, by: User) -> ActivityChange:
        cleaned_data = form.cleaned_data
        return services.propose_change(
            stated=cleaned_data, reason=cleaned_data["reason"], by=by, now=now()
        )

    def approve(self, change: ActivityChange, by: User, note: str) -> str:
        row = services.approve_change(change=change, by=by, now=now(), note=note)
        return f"approved: version {row.version} is in force."
