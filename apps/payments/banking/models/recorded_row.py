"""What every row here has: a state, its steps, and a digest of how it stands."""

from typing import ClassVar

from django.db import models

from apps.platform.crypto.canonical import canonical_digest


class Kept(models.Model):
    """A row that `transitions.record_transition` alone changes, which writes an event of each step.

    `steps` counts its events, and every move compares it: of two at once one wins. `LOOSE` are the
    columns that no event has: they say how work at it goes, and decide nothing.
    """

    THING: ClassVar[str]
    LOOSE: ClassVar[frozenset[str]] = frozenset()

    state = models.CharField(max_length=12)
    steps = models.PositiveSmallIntegerField(default=1)

    class Meta:
        abstract = True

    @property
    def subject(self) -> str:
        """How events name it."""
        return f"{self.THING}:{self.pk}"

    @property
    def once(self) -> list[str]:
        """What no other row of its kind has, ever: its first event has a digest of that."""
        raise NotImplementedError

    @property
    def stands(self) -> str:
        """A digest of how it stands, as its last event keeps it."""
        fields = [concrete_field.attname for concrete_field in self._meta.concrete_fields]
        return canonical_digest(
            {name: getattr(self, name) for name in fields if name not in self.LOOSE}
        )
