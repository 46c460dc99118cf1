"""Forms that refuse hidden characters and never cut a text."""

from typing import TYPE_CHECKING, Any

from django import forms

from apps.platform.common.hidden_characters import find_hidden_character
from apps.platform.desk.note_validation import LONGEST_REASON, SHORTEST_NOTE

if TYPE_CHECKING:
    Base = forms.BaseForm
else:
    Base = object


class VisibleTextForm(Base):
    """A form that refuses hidden characters in every text; put before the form's own class.

    Only multi-line fields may have line breaks and tabs. A text that is too long is refused and
    shown again: with a `maxlength` the browser would silently cut it.
    """

    def __init__(self, *args: Any, **given: Any) -> None:
        super().__init__(*args, **given)
        for field in self.fields.values():
            most = field.widget.attrs.pop("maxlength", None)
            if most is not None:
                # count.js shows the count; the server refuses what is longer
                field.widget.attrs["data-most"] = most

    def clean(self) -> dict[str, Any] | None:
        """Refuse control, bidirectional and invisible characters."""
        cleaned: dict[str, Any] | None = super().clean()
        for name, field in self.fields.items():
            submitted_value = self.cleaned_data.get(name)
            if isinstance(field, forms.CharField) and isinstance(submitted_value, str):
                lines = isinstance(field.widget, forms.Textarea)
                if fault := find_hidden_character(submitted_value, lines=lines):
                    self.add_error(name, fault)
        return cleaned


class ReasonField(forms.CharField):
    """The reason of a proposal."""

    def __init__(self, **options: Any) -> None:
        arguments: dict[str, Any] = {
            "label": "Why",
            "min_length": SHORTEST_NOTE,
            "max_length": LONGEST_REASON,
            "widget": forms.Textarea(attrs={"rows": 3, "cols": 70}),
        }
        super().__init__(**arguments | options)


class LinesField(forms.CharField):
    """Texts, one per line."""

    def prepare_value(self, value: Any) -> Any:
        return "\n".join(value) if isinstance(value, list) else value

    def clean(self, value: Any) -> list[str]:
        return [line.strip() for line in super().clean(value).splitlines() if line.strip()]
