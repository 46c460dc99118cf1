"""Record the steps of proposals in a ledger: who did each, and the whole row after it.

An attacker who can write the database can approve a proposal, enlarge it or change its author, but
cannot record that. So a row that differs from its last record can be neither decided nor used.
"""

import json
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any, ClassVar

from django.db import models

from apps.platform.crypto.canonical import canonical_json
from apps.platform.ledger.records import LedgerRecord
from apps.platform.ledger.verification.projection_checks import find_differences
from apps.platform.ledger.verification.verified_reads import filter_verified_records


class Step(models.TextChoices):
    """The kind of a step."""

    PROPOSED = "PROPOSED", "Proposed"
    APPROVED = "APPROVED", "Approved"
    REJECTED = "REJECTED", "Rejected"
    DRAWN = "DRAWN", "Secret collected"
    ENDED = "ENDED", "Ended early"


class ProposalRecord(LedgerRecord):
    """One step of a proposal; `stands` in the payload is its row after it. Kept permanently.

    There are no foreign keys, so that records outlive deleted rows.
    """

    LEDGER: ClassVar[str] = "proposals"
    PURGEABLE: ClassVar[tuple[str, ...]] = ()

    about = models.CharField(
        max_length=60, help_text="Model of the proposal, as `access.keyrequest`"
    )
    proposal = models.BigIntegerField()
    step = models.CharField(max_length=8, choices=Step)
    by = models.CharField(max_length=150, blank=True, help_text="User name")
    shell = models.BooleanField("at a shell", default=False)

    class Meta:
        app_label = "desk"
        default_permissions = ()
        constraints: ClassVar[list[Any]] = [
            models.UniqueConstraint(
                fields=["about", "proposal", "step"], name="proposal_record_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.about} {self.proposal}: {self.step}"

    @property
    def words(self) -> str:
        """The reason or note of the step; it may be empty."""
        name = {
            Step.PROPOSED: "reason",
            Step.APPROVED: "note",
            Step.REJECTED: "note",
            Step.ENDED: "ended_why",
        }
        return str(self.data["stands"].get(name.get(Step(self.step), ""), ""))


def record_step(
    row: models.Model, step: Step, *, by: str, now: datetime, at_shell: bool = False
) -> None:
    """Record a step of a proposal, with its row after it."""
    whose = {"about": row._meta.label_lower, "proposal": row.pk}
    ProposalRecord.write(
        payload={"stands": snapshot_row(row)}, now=now, step=step, by=by, shell=at_shell, **whose
    )


def snapshot_row(row: models.Model) -> dict[str, Any]:
    """Return every column of a row but its id, as JSON."""
    columns = [field for field in row._meta.concrete_fields if not field.primary_key]
    values = {field.attname: field.to_python(getattr(row, field.attname)) for field in columns}
    # through JSON and back: the record's payload is compared with it, and has lost the types
    return dict(json.loads(canonical_json(values)))


def load_steps(row: models.Model) -> list[ProposalRecord]:
    """Return the verified steps of a proposal, the oldest first; one query."""
    whose = {"about": row._meta.label_lower, "proposal": row.pk}
    return filter_verified_records(ProposalRecord.objects.filter(**whose).order_by("pk"))


def find_step_faults(row: models.Model, steps: Sequence[ProposalRecord]) -> Iterator[str]:
    """Yield in words where a row differs from its steps, the oldest first.

    Columns that were added or removed since its last step are not compared.
    """
    names = [step.step for step in steps]
    if not names or names[0] != Step.PROPOSED:
        yield "its proposal is not recorded"
        return
    if len(set(names)) < len(names):
        # a copy of the record of an approval would let its effect happen twice
        yield "a step is recorded twice"
    shown, stands = snapshot_row(row), steps[-1].data["stands"]
    attnames = [field.attname for field in row._meta.concrete_fields if field.attname in stands]
    yield from find_differences(shown, {name: stands[name] for name in attnames})


def describe_alteration(row: models.Model, steps: Sequence[ProposalRecord] | None = None) -> str:
    """Return a sentence that a proposal is not as recorded, or an empty text."""
    fault = next(find_step_faults(row, load_steps(row) if steps is None else steps), "")
    if not fault:
        return ""
    return f"Integrity check failed: {fault}. Contact an administrator."
