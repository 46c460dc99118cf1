"""The form of a change of weights: learn from the decisions, or return to an earlier version."""

from typing import Any, ClassVar

from django import forms

from apps.compliance.aml.models import WeightChange
from apps.compliance.aml.services import weight_changes
from apps.platform.common.clock import now
from apps.platform.desk.previews import PreviewedForm


class WeightForm(PreviewedForm, forms.ModelForm):
    """What a proposed change must say; the weights themselves are computed."""

    returns_to = forms.IntegerField(
        label="Return to version",
        required=False,
        min_value=0,
        help_text="If empty, the weights are learnt from officers' decisions. 0 is the prior.",
    )

    class Meta:
        model = WeightChange
        fields = ("returns_to", "reason")
        widgets: ClassVar[dict[str, Any]] = {
            "reason": forms.Textarea(attrs={"rows": 3, "cols": 70})
        }

    def judge(self, values: dict[str, Any]) -> None:
        weight_changes.draft_weight_change(now=now(), returns_to=values.get("returns_to"))
