"""The steps of a matter with corrections applied."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

from apps.backoffice.sar import rules
from apps.backoffice.sar.models import FilingEvent, SarMatter

if TYPE_CHECKING:
    from django.contrib.auth.models import User


@dataclass(frozen=True, slots=True)
class StepWithCorrections:
    """One step, or the detection, of which no event is: with its corrections, the oldest first.

    `day` is that of the record itself. `step` has all fields that can be corrected.
    """

    step: rules.FilingStep
    event: FilingEvent | None
    day: date
    corrections: tuple[FilingEvent, ...] = ()

    @property
    def records(self) -> list[int]:
        """The ids of its records; a further correction corrects the last."""
        first = self.event.pk if self.event else rules.DETECTION
        return [first, *(correction.pk for correction in self.corrections)]

    @property
    def correctable(self) -> bool:
        """Whether there is anything of it that a correction could name; not once it is purged."""
        return bool(self.step.fields) and not (self.event and self.event.purged)

    @property
    def by(self) -> "User | None":
        """Who recorded the step."""
        return self.event.by if self.event else None

    @property
    def on(self) -> date:
        """The day from which it counts."""
        return date.fromisoformat(self.values("on")[-1])

    def made(self, name: str) -> list[tuple[FilingEvent | None, str]]:
        """Return what a field said and then what was right of it, each with the record of it."""
        if name == "on":
            days = ((correction, correction.on) for correction in self.corrections)
            dated_events = [
                (filing_event, day.isoformat()) for filing_event, day in days if day is not None
            ]
            return [(self.event, self.day.isoformat()), *dated_events]
        first = str(self.event.data.get(name, "")) if self.event else ""
        right = ((correction, correction.data.get("values", {})) for correction in self.corrections)
        return [
            (self.event, first),
            *((filing_event, str(new[name])) for filing_event, new in right if name in new),
        ]

    def values(self, name: str) -> list[str]:
        """Return what a field said, and what is right of it instead, as it was written."""
        return [text for _, text in self.made(name)]

    def value(self, name: str) -> str:
        """Return the corrected value of a field."""
        return self.values(name)[-1]

    def given(self) -> rules.StepInput:
        """Return the current values of all fields that can be corrected."""
        return rules.StepInput(**{field.name: self.value(field.name) for field in self.step.fields})


def list_matter_steps(
    matter: SarMatter, events: Sequence[FilingEvent]
) -> dict[int, StepWithCorrections]:
    """Return the detection and the steps of a matter by their ids, from its events by number."""
    of = rules.map_records_to_steps([event.told(zone=matter.zone) for event in events])
    corrections = [event for event in events if event.action == rules.CORRECTED]

    def of_it(record_id: int) -> tuple[FilingEvent, ...]:
        return tuple(event for event in corrections if of[event.pk] == record_id)

    detected = matter.opened().detected
    matter_steps = {
        rules.DETECTION: StepWithCorrections(
            rules.DETECTED, None, detected, of_it(rules.DETECTION)
        ),
    }
    for event in events:
        if event.action != rules.CORRECTED:
            step = rules.build_correctable_step(rules.BY_ACTION[event.action])
            matter_steps[event.pk] = StepWithCorrections(
                step, event, event.day(zone=matter.zone), of_it(event.pk)
            )
    return matter_steps
