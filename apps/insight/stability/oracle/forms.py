"""The form of a change of tier weights: learn from outcomes, or return to an earlier version."""

from typing import Any, ClassVar

from django import forms

from apps.insight.stability.models import TierChange
from apps.insight.stability.oracle.services import tier_changes
from apps.platform.desk.previews import PreviewedForm


class TierChangeForm(PreviewedForm, forms.ModelForm):
    """What a proposed change must say; the weights themselves are computed."""

    returns_to = forms.IntegerField(
        label="Return to version",
        required=False,
        min_value=0,
        max_value=2**31 - 1,
        help_text="Leave empty to learn the weights from past outcomes. 0 is the initial version.",
    )

    class Meta:
        model = TierChange
        fields = ("returns_to", "reason")
        widgets: ClassVar[dict[str, Any]] = {
            "reason": forms.Textarea(attrs={"rows": 3, "cols": 70})
        }

    def judge(self, values: dict[str, Any]) -> None:
        tier_changes.draft_tier_change(returns_to=values.get("returns_to"))
