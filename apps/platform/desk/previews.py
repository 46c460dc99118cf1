"""Forms that are saved only after a preview of exactly these values."""

from typing import Any

from apps.platform.common.problems import DomainError
from apps.platform.crypto.canonical import canonical_digest
from apps.platform.desk.forms import VisibleTextForm

SEEN = "seen"  # the field that says which values were previewed: their mark at that time
LOOK = "Preview the effect, then propose it."
CHANGED = "You have changed the proposal since the last preview. This is its effect now."


class PreviewedForm(VisibleTextForm):
    """A form with a preview; put before the form's own class.

    `waits` says that only the preview is missing; `mark` identifies its values, and must be sent
    back.
    """

    waits = False
    mark = ""

    def full_clean(self) -> None:
        """Validate the values; valid ones that were not previewed as they are now wait."""
        super().full_clean()
        if not self.is_bound or self.errors:
            return
        # a row is represented by its id
        values = {
            name: str(getattr(value, "pk", value)) for name, value in self.cleaned_data.items()
        }
        # the mark is no secret: it only tells whether what is sent is what was shown
        self.mark, seen = canonical_digest(values), self.data.get(SEEN, "")
        if seen != self.mark:
            self.waits = True
            self.add_error(None, CHANGED if seen else LOOK)

    def clean(self) -> dict[str, Any]:
        """Let the domain validate well-formed values: a refusal becomes a message."""
        values = super().clean() or {}
        if not self.errors:
            try:
                self.judge(values)
            except DomainError as error:
                self.add_error(None, error.detail)
        return values

    def judge(self, values: dict[str, Any]) -> None:
        """Refuse what the domain refuses, as an error of a field or by a DomainError."""
