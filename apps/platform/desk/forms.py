"""Forms whose texts are what they look like, and which cut nothing."""

from typing import TYPE_CHECKING, Any

from django import forms

from apps.platform.common.validators import find_hidden_character
from apps.platform.desk.note_validation import LONGEST_REASON, SHORTEST_NOTE

if TYPE_CHECKING:
    Base = forms.BaseForm
else:
    Base = object


class VisibleTextForm(Base):
    """A form that refuses hidden characters in every text; put before the form's own class.

    Only what is typed into several lines may have ends of lines and tabs. What is too long is
    refused and shown again: a browser would cut it at a `maxlength` without a word.
    """

    def __init__(self, *args: Any, **given: Any) -> None:
        super().__init__(*args, **given)
        for field in self.fields.values():
            most = field.widget.attrs.pop("maxlength", None)
            if most is not None:
                field.widget.attrs["data-most"] = most

    def clean(self) -> dict[str, Any] | None:
        """Refuse control, bidirectional and invisible characters."""
        said: dict[str, Any] | None = super().clean()
        for name, field in self.fields.items():
            given = self.cleaned_data.get(name)
            if isinstance(field, forms.CharField) and isinstance(given, str):
                lines = isinstance(field.widget, forms.Textarea)
                if fault := find_hidden_character(given, lines=lines):
                    self.add_error(name, fault)
        return said


class ReasonField(forms.CharField):
    """Why something is proposed."""

    def __init__(self, **options: Any) -> None:
        given: dict[str, Any] = {
            "label": "Why",
            "min_length": SHORTEST_NOTE,
            "max_length": LONGEST_REASON,
            "widget": forms.Textarea(attrs={"rows": 3, "cols": 70}),
        }
        super().__init__(**given | options)


class LinesField(forms.CharField):
    """Texts, one a line."""

    def prepare_value(self, value: Any) -> Any:
        return "\n".join(value) if isinstance(value, list) else value

    def clean(self, value: Any) -> list[str]:
        return [one.strip() for one in super().clean(value).splitlines() if one.strip()]
