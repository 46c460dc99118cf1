"""The form of a change of expected activity: the proposed declaration."""

from typing import Any, ClassVar

from django import forms
from django.core.exceptions import ValidationError

from apps.access.keys import tenant_names
from apps.compliance.aml.expected_activity import services
from apps.compliance.aml.models import ActivityChange
from apps.compliance.aml.rules.declared_lines import (
    LineError,
    format_lines,
    parse_written_lines,
    summarize_history,
)
from apps.compliance.aml.rules.expected_activity import KINDS
from apps.platform.common.clock import now
from apps.platform.desk.forms import LinesField, ReasonField
from apps.platform.desk.previews import PreviewedForm

# bytes
LARGEST_FILE = 2 * 1024 * 1024


class DeclaredLinesField(forms.CharField):
    """Lines of a declaration, one for each kind of payment."""

    def prepare_value(self, value: Any) -> Any:
        return format_lines(value) if isinstance(value, list) else value

    def clean(self, value: Any) -> list[dict[str, Any]]:
        try:
            return parse_written_lines(super().clean(value))
        except LineError as error:
            raise ValidationError(str(error)) from None


class ActivityForm(PreviewedForm, forms.ModelForm):
    """What a proposed declaration must say; a file of past payments fills its lines."""

    owner = forms.ChoiceField(label="Institution")
    accounts = LinesField(
        label="Wallets and LEIs",
        required=False,
        max_length=20_000,
        help_text=(
            "Wallets and LEIs from which it pays on its own behalf, one per line: a "
            "wallet address, or lei: and the LEI. Payments without a wallet are included."
        ),
        widget=forms.Textarea(attrs={"rows": 4, "cols": 70}),
    )
    lines = DeclaredLinesField(
        label="Payments per month",
        required=False,
        max_length=20_000,
        help_text="One line for each kind: kind; payments; volume in USD; counterparties; largest "
        "payment in USD. As: WAGES; 20; 80000; 20; 9000. Kinds: "
        f"{', '.join(kind.code for kind in KINDS)}.",
        widget=forms.Textarea(attrs={"rows": 8, "cols": 70}),
    )
    history = forms.FileField(
        label="Or a file of past payments",
        required=False,
        help_text="CSV with the columns date, kind, amount (USD) and counterparty. Its busiest "
        "month of each kind fills the lines above; the file itself is not kept.",
        widget=forms.FileInput(attrs={"accept": ".csv,text/csv"}),
    )
    reason = ReasonField()

    class Meta:
        model = ActivityChange
        fields: ClassVar[Any] = ("owner", "accounts", "lines", "reason")

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        chosen = str(self.data.get("owner", "") or self.initial.get("owner", ""))
        self.fields["owner"].choices = list(tenant_names.list_tenant_choices(chosen[:80]).items())  # type: ignore[attr-defined]
        self.unread = ""
        if file := self.files.get("history"):
            # A browser sends no file again with the look that follows, so that the lines carry it.
            if (file.size or 0) > LARGEST_FILE:
                self.unread = f"The file has more than {LARGEST_FILE // 1024 // 1024} MiB."
                return
            try:
                # spreadsheets write a byte order mark in front of the header
                lines = summarize_history(file.read().decode("utf-8-sig"), today=now().date())
            except UnicodeDecodeError:
                self.unread = "The file is not UTF-8 text."
            except LineError as error:
                self.unread = str(error)
            else:
                # the summary replaces what was typed, and is shown for a check before anything is
                # proposed
                self.data = {**self.data.dict(), "lines": format_lines(lines)}  # type: ignore[attr-defined]

    def clean_history(self) -> None:
        """Report why a file could not be read; its summary fills the lines."""
        if self.unread:
            raise ValidationError(self.unread)

    def judge(self, values: dict[str, Any]) -> None:
        values.pop("history", None)
        stated = services.normalize_declaration(values)
        for name, sentence in services.declaration_faults(stated):
            self.add_error(name, sentence)
        if not self.errors:
            services.draft_change(stated=stated, reason=values["reason"])
