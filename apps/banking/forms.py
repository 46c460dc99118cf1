"""The form of an international wire."""

from typing import Any, ClassVar

from django import forms

from apps.banking import wires
from apps.banking.models import Recipient, Wire
from apps.desk.previews import Previewed
from apps.desk.rules import LONGEST_REASON, SHORTEST_NOTE


class WireForm(Previewed, forms.ModelForm):
    """What a proposed wire must say."""

    recipient = forms.ModelChoiceField(
        queryset=Recipient.objects.filter(kind="WIRE").exclude(state="REFUSED"),
        label="Recipient",
        help_text="Institutions save recipients by POST /settlement/bank/recipients.",
    )
    reason = forms.CharField(
        min_length=SHORTEST_NOTE,
        max_length=LONGEST_REASON,
        widget=forms.Textarea(attrs={"rows": 3, "cols": 70}),
        label="Why",
    )

    class Meta:
        model = Wire
        fields: ClassVar[Any] = (
            "recipient", "account_id", "amount", "category", "additional_info", "memo", "reason",
        )  # fmt: skip

    def clean(self) -> dict[str, Any]:
        """Let the domain judge, so that a refusal is a message at its field."""
        values = super().clean() or {}
        if not self.errors:
            for name, sentence in wires.faults(values):
                self.add_error(name, sentence)
        return values
