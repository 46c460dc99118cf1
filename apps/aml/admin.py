"""Pages of the AML engine: screens, wallets, decisions, and weights that two seniors change."""

import json
from typing import Any, cast

from django.contrib import admin
from django.contrib.auth.models import User
from django.http import HttpRequest

from apps.aml import approvals, calibrating
from apps.aml.forms import WeightForm
from apps.aml.models import AmlScreen, Label, WalletProfile, WeightChange, WeightRecord
from apps.core.clock import now
from apps.core.money import from_micro
from apps.desk.approvals import Waiting
from apps.desk.pages import ReadOnly
from apps.desk.proposals import ProposalAdmin


@admin.register(AmlScreen)
class AmlScreenAdmin(ReadOnly):
    """AML screens, the newest first, each with what was known and what decided."""

    list_display = ("screen_id", "wallet", "counterparty", "action", "risk_score", "recorded_at")
    list_filter = ("action", "cohort", "sampled")
    search_fields = ("=wallet", "=screen_id")
    search_help_text = "A whole wallet address, or a screenId"
    fields = (
        "screen_id",
        "wallet",
        "counterparty",
        "action",
        "risk_score",
        "rule",
        "cohort",
        "weights",
        "rules_version",
        "counted",
        "sampled",
        "recorded_at",
        "signals",
    )

    @admin.display(description="Signals")
    def signals(self, screen: AmlScreen) -> str:
        found = screen.data.get("response", {}).get("signals", ())
        return "\n".join(f"{one['points']}: {one['sentence']}" for one in found) or "none"


@admin.register(WalletProfile)
class WalletProfileAdmin(ReadOnly):
    """Wallets and what is known of their payments."""

    list_display = ("wallet", "payments", "standing", "updated_at")
    list_filter = ("standing",)
    search_fields = ("=wallet",)
    search_help_text = "A whole wallet address"
    fields = ("wallet", "payments", "standing", "updated_at", "volume")

    @admin.display(description="Volume in USD")
    def volume(self, row: WalletProfile) -> str:
        return f"{from_micro(row.profile.volume):,.2f}"


@admin.register(Label)
class LabelAdmin(ReadOnly):
    """What officers decided of screens, as the weights are learnt from it."""

    list_display = ("screen_id", "cohort", "bad", "sampled", "decided_at")
    list_filter = ("cohort", "bad", "sampled")


@admin.register(WeightRecord)
class WeightRecordAdmin(ReadOnly):
    """Versions of the weights; the newest is in force."""

    list_display = ("version", "rules_version", "recorded_at")
    fields = ("version", "rules_version", "recorded_at", "told")

    @admin.display(description="What moved, and why")
    def told(self, row: WeightRecord) -> str:
        return json.dumps(row.data, indent=1, sort_keys=True) if row.data else "purged"


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

    def told(self, change: WeightChange) -> Waiting:
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
