"""The form of a proposed settlement access."""

from typing import Any, ClassVar

from django import forms

from apps.access.keys import tenant_names
from apps.payments.settlement.institution_access.services import access_changes
from apps.payments.settlement.models import AccessChange
from apps.platform.desk.forms import LinesField, ReasonField
from apps.platform.desk.previews import PreviewedForm


class AccessForm(PreviewedForm, forms.ModelForm):
    """The fields of a proposed access."""

    owner = forms.ChoiceField(label="Institution")
    allowed = forms.BooleanField(required=False, label="May settle in production")
    wallets = LinesField(
        label="Settlement wallets",
        required=False,
        max_length=5000,
        help_text="EVM addresses from which it pays, one per line.",
        widget=forms.Textarea(attrs={"rows": 4, "cols": 70}),
    )
    reason = ReasonField()

    class Meta:
        model = AccessChange
        fields: ClassVar[Any] = ("owner", "allowed", "wallets", "reason")

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        chosen = str(self.data.get("owner", "") or self.initial.get("owner", ""))
        self.fields["owner"].choices = list(tenant_names.list_tenant_choices(chosen[:80]).items())  # type: ignore[attr-defined]

    def judge(self, values: dict[str, Any]) -> None:
        stated = access_changes.normalize_access(values)
        for name, sentence in access_changes.find_access_faults(stated):
            self.add_error(name, sentence)
        if not self.errors:
            access_changes.draft_access_change(stated=stated, reason=values["reason"])
