"""The base of every row here: a state, its steps, and a digest of its state."""

from datetime import datetime
from typing import Any, ClassVar

from django.db import models

from apps.platform.crypto.canonical import canonical_digest


class Kept(models.Model):
    """A row that only `record_transition` changes, with an event for each step.

    `steps` counts its events, and every move compares it: of two concurrent moves one wins. `LOOSE`
    are columns that no event has: they track work on the row, and decide nothing.
    """

    THING: ClassVar[str]
    LOOSE: ClassVar[frozenset[str]] = frozenset()

    state = models.CharField(max_length=12)
    steps = models.PositiveSmallIntegerField(default=1)

    class Meta:
        abstract = True

    @property
    def subject(self) -> str:
        """The name of the row in events."""
        return f"{self.THING}:{self.pk}"

    @property
    def once(self) -> list[str]:
        """A value that no other row of its kind ever has: its first event has a digest of it."""
        raise NotImplementedError

    @classmethod
    def rows_in_use(cls, *, before: datetime) -> "models.QuerySet[Any]":
        """Return the rows whose events keep their payload although recorded `before`: none."""
        return cls._default_manager.none()

    @classmethod
    def forget_row(cls, number: int) -> None:
        """Clear what the row repeats of its purged events."""
        raise NotImplementedError

    @property
    def stands(self) -> str:
        """A digest of its state, as its last event has it."""
        fields = [concrete_field.attname for concrete_field in self._meta.concrete_fields]
        return canonical_digest(
            {name: getattr(self, name) for name in fields if name not in self.LOOSE}
        )
