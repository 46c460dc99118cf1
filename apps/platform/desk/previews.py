"""Forms that are stored once their sender saw what exactly these values would bring."""

from typing import Any

from apps.platform.common.problems import DomainError
from apps.platform.crypto.canonical import canonical_digest
from apps.platform.desk.forms import VisibleTextForm

SEEN = "seen"  # what a form says it was shown: the mark of the values that it had then
LOOK = "Preview the effect, then propose it."
CHANGED = "You have changed the proposal since the last preview. This is its effect now."


class PreviewedForm(VisibleTextForm):
    """A form that asks its sender to look first; put before the form's own class.

    `waits` says that nothing else is missing; `mark` stands for its values, and is to come back.
    """

    waits = False
    mark = ""

    def full_clean(self) -> None:
        """Judge the values; what is right and was not looked at as it is now waits."""
        super().full_clean()
        if not self.is_bound or self.errors:
            return
        # a row stands for itself by its id
        values = {name: str(getattr(one, "pk", one)) for name, one in self.cleaned_data.items()}
        self.mark, seen = canonical_digest(values), self.data.get(SEEN, "")
        if seen != self.mark:
            self.waits = True
            self.add_error(None, CHANGED if seen else LOOK)

    def clean(self) -> dict[str, Any]:
        """Let the domain judge values that are right in themselves: a refusal is a message."""
        values = super().clean() or {}
        if not self.errors:
            try:
                self.judge(values)
            except DomainError as error:
                self.add_error(None, error.detail)
        return values

    def judge(self, values: dict[str, Any]) -> None:
        """Refuse what the domain refuses: as an error of a field, or by a DomainError."""
