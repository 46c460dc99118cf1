"""Pages of the AML engine: screens, wallets, decisions, and weights that two seniors change."""

from datetime import UTC, datetime
from typing import Any, cast

from django.contrib import admin
from django.contrib.auth.models import User
from django.http import HttpRequest
from django.utils.html import format_html_join

from apps.access import tenants
from apps.aml import approvals, calibrating
from apps.aml.forms import WeightForm
from apps.aml.models import AmlScreen, Label, WalletProfile, WeightChange, WeightRecord
from apps.aml.pages import told
from apps.aml.pages.records import pages_of
from apps.aml.rules.scene import money
from apps.aml.rules.scoring import POINT, maturity, risk_at
from apps.aml.rules.signals import BY_ID
from apps.core.clock import now
from apps.core.money import from_micro
from apps.core.shapes import epoch
from apps.desk.approvals import Waiting
from apps.desk.pages import ReadOnly
from apps.desk.proposals import ProposalAdmin


class Seen(ReadOnly):
    """Pages that show links only to what the person who looks may open."""

    def get_object(self, request: HttpRequest, object_id: Any, from_field: Any = None) -> Any:
        found = super().get_object(request, object_id, from_field)
        if found is not None:
            found.viewer = request.user
        return found


def _viewer(row: Any) -> User | None:
    return getattr(row, "viewer", None)


@admin.register(AmlScreen)
class AmlScreenAdmin(Seen):
    """AML screens, the newest first, each with what was known and what decided."""

    list_display = ("recorded_at", "wallet", "counterparty", "amount", "answered", "screen_id")
    list_filter = ("action", "cohort", "sampled")
    search_fields = ("=wallet", "=screen_id")
    search_help_text = "A whole wallet address, or a screenId"
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
        return told.answered(screen)

    @admin.display(description="Why")
    def why(self, screen: AmlScreen) -> str:
        return told.why(screen)

    @admin.display(description="Amount")
    def amount(self, screen: AmlScreen) -> str:
        asked = screen.data.get("request") or {}
        return f"{money(asked['amount'])} {asked['currency']}" if "amount" in asked else "purged"

    @admin.display(description="Payment")
    def payment(self, screen: AmlScreen) -> str:
        return told.payment(screen)

    @admin.display(description="Client")
    def client(self, screen: AmlScreen) -> str:
        return tenants.names([screen.owner]).get(screen.owner, screen.owner)

    @admin.display(description="Wallet")
    def own(self, screen: AmlScreen) -> str:
        return told.wallet(screen.wallet, _viewer(screen))

    @admin.display(description="Counterparty")
    def other(self, screen: AmlScreen) -> str:
        return told.wallet(screen.counterparty, _viewer(screen))

    @admin.display(description="Signals")
    def signals(self, screen: AmlScreen) -> str:
        return told.signals(screen)

    @admin.display(description="Maturity of the wallet before it")
    def maturity(self, screen: AmlScreen) -> str:
        return screen.cohort.title()

    @admin.display(description="Pages behind it")
    def behind(self, screen: AmlScreen) -> str:
        return told.links(screen, _viewer(screen))

    @admin.display(description="Weighed by")
    def weighed(self, screen: AmlScreen) -> str:
        version = f"version {screen.weights}" if screen.weights else "as first set"
        return f"rules {screen.rules_version}, weights {version}"

    @admin.display(description="Counted in the profiles")
    def once(self, screen: AmlScreen) -> str:
        return "by this screen" if screen.counted else "by another screen, or not"

    @admin.display(description="Drawn by chance for review")
    def chance(self, screen: AmlScreen) -> str:
        return "yes" if screen.sampled else "no"


@admin.register(WalletProfile)
class WalletProfileAdmin(Seen):
    """Wallets and what is known of their payments."""

    list_display = ("wallet", "payments", "known_against", "updated_at")
    list_filter = ("standing",)
    search_fields = ("=wallet",)
    search_help_text = "A whole wallet address"
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
        return row.get_standing_display() if row.standing else "Nothing is known against it"

    @admin.display(description="Running risk")
    def risk(self, row: WalletProfile) -> str:
        return f"{min(100, risk_at(row.profile, epoch(now())) // POINT)} of 100"

    @admin.display(description="Maturity")
    def maturity(self, row: WalletProfile) -> str:
        return maturity(row.profile.solid).name.title()

    @admin.display(description="Volume")
    def volume(self, row: WalletProfile) -> str:
        return f"{from_micro(row.profile.volume):,.2f} USD, both ways"

    @admin.display(description="Counterparties")
    def met(self, row: WalletProfile) -> str:
        return str(row.profile.met)

    @admin.display(description="First payment")
    def first(self, row: WalletProfile) -> str:
        return _moment(row.profile.first_at)

    @admin.display(description="Last payment")
    def last_seen(self, row: WalletProfile) -> str:
        return _moment(row.profile.last_at)

    @admin.display(description="Pages")
    def pages(self, row: WalletProfile) -> str:
        return told.around(row, _viewer(row))


def _moment(at: int) -> str:
    return f"{datetime.fromtimestamp(at, UTC):%d %b %Y %H:%M} UTC" if at else "none"


@admin.register(Label)
class LabelAdmin(Seen):
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

    @admin.display(description="Signals that held")
    def held(self, label: Label) -> str:
        names = label.signals.split()
        return ", ".join(BY_ID[one].title for one in names if one in BY_ID) or "none"

    @admin.display(description="Drawn by chance")
    def chance(self, label: Label) -> str:
        return "yes" if label.sampled else "no"

    @admin.display(description="Screen and case")
    def behind(self, label: Label) -> str:
        viewer = _viewer(label)
        pages = pages_of(str(label.screen_id), viewer) if viewer else []
        links = format_html_join(", ", '<a href="{}">{}</a>', ((to, name) for name, to in pages))
        return links or "none"


@admin.register(WeightRecord)
class WeightRecordAdmin(ReadOnly):
    """Versions of the weights; the newest is in force."""

    list_display = ("version", "rules_version", "recorded_at")
    fields = ("version", "rules_version", "recorded_at", "moved", "points")

    @admin.display(description="What moved, and why")
    def moved(self, row: WeightRecord) -> str:
        return told.moved(row)

    @admin.display(description="All weights, in points")
    def points(self, row: WeightRecord) -> str:
        return told.points(row)


@admin.register(WeightChange)
class WeightChangeAdmin(ProposalAdmin):
    """Proposals: one senior officer makes them, another decides."""

    form = WeightForm
    list_display = ("__str__", "state", "proposed_by", "decided_by")
    decider = "senior officer"
    asking = "Propose other weights"

    def draft(self, said: dict[str, Any]) -> WeightChange:
        change = calibrating.draft(now=now(), returns_to=said.get("returns_to"))
        change.reason = said.get("reason", "")
        return change

    def told(self, change: WeightChange) -> Waiting:  # a hook of ProposalAdmin
        return approvals.waiting(change)

    def means(self, change: WeightChange) -> tuple[str, ...]:
        return approvals.means(change)

    def save_model(self, request: HttpRequest, obj: WeightChange, form: Any, change: bool) -> None:
        made = calibrating.propose(by=cast(User, request.user), now=now(), **form.cleaned_data)
        obj.pk = made.pk

    def approve(self, change: WeightChange, by: User, note: str) -> str:
        record = calibrating.approve(change=change, by=by, now=now(), note=note)
        return f"approved: weights {record.version} are in force."

    def reject(self, change: WeightChange, by: User, note: str) -> None:
        calibrating.reject(change=change, by=by, now=now(), note=note)
