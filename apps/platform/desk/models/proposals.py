"""Decisions by two people: the columns of every proposal, and the events of its steps."""

from datetime import datetime
from typing import TYPE_CHECKING, Any, ClassVar

from django.conf import settings
from django.db import IntegrityError, models, transaction
from django.db.models import F, Q

from apps.platform.common.problems import Conflict
from apps.platform.desk.note_validation import LONGEST_REASON, find_note_fault, find_text_fault
from apps.platform.desk.proposal_records import Step, describe_alteration, record_step

if TYPE_CHECKING:
    from django.contrib.auth.models import User


class Proposal(models.Model):
    """A proposal by one person that another decides, once.

    A subclass puts `four_eyes_constraints(…)` among its constraints, so that the database requires
    both, and names its model of events (ProposalEvent) `events`.
    """

    DECIDER: ClassVar[str] = "officer"

    class State(models.TextChoices):
        PROPOSED = "PROPOSED", "Proposed"
        APPROVED = "APPROVED", "Approved"
        REJECTED = "REJECTED", "Rejected"

    state = models.CharField(max_length=8, choices=State, default=State.PROPOSED)
    proposed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    proposed_at = models.DateTimeField()
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    decided_at = models.DateTimeField(null=True, blank=True)
    reason = models.CharField(max_length=LONGEST_REASON)
    note = models.CharField(max_length=LONGEST_REASON, blank=True)

    class Meta:
        abstract = True

    def event_columns(self) -> dict[str, Any]:
        """Return the columns of the proposal that each event repeats."""
        raise NotImplementedError

    def propose(
        self, *, by: "User", now: datetime, taken: Conflict | None = None, at_shell: bool = False
    ) -> None:
        """Store the proposal under its author, and record that it was made.

        Raises `taken` if a constraint of the database contradicts it; `at_shell` marks one that is
        not made at the desk.
        """
        self.proposed_by, self.proposed_at = by, now
        try:
            # a savepoint: the caller's transaction survives a constraint that is violated
            with transaction.atomic():
                self.save()
                self._keep(Step.PROPOSED, self.reason, by, now, at_shell=at_shell)
        except IntegrityError as error:
            if taken is None:
                raise
            raise taken from error

    def lock(self, *, refused: type[Conflict]) -> None:
        """Read the row again under its lock; raises `refused` for one that is not as recorded."""
        # on SQLite the lock is that of the transaction, which is IMMEDIATE
        self.refresh_from_db(from_queryset=type(self)._default_manager.select_for_update())
        if fault := describe_alteration(self):
            raise refused(fault)

    def settle(
        self,
        *,
        approved: bool,
        by: "User",
        note: str,
        now: datetime,
        refused: type[Conflict],
        at_shell: bool = False,
    ) -> None:
        """Decide the proposal as another person than its author; raises `refused` with the reason.

        Rejecting needs a note that says why; approving keeps one if given. A row that is not as
        recorded cannot be decided. Needs a transaction.
        """
        self.lock(refused=refused)
        note = note.strip()
        if fault := self._fault(by, note, approved=approved):
            raise refused(fault)
        state = self.State.APPROVED if approved else self.State.REJECTED
        waits = type(self)._default_manager.filter(pk=self.pk, state=self.State.PROPOSED)
        if not waits.update(state=state, decided_by=by, decided_at=now, note=note):
            raise refused("This proposal has already been decided.")
        self.refresh_from_db()
        self._keep(Step(state.value), note, by, now, at_shell=at_shell)

    def grounds_of_approval(self, by: "User") -> dict[str, str]:
        """Return who proposed and approved it, and why: part of the record of its change."""
        return {
            "proposedBy": self.proposed_by.get_username(),
            "approvedBy": by.get_username(),
            "reason": self.reason,
        }

    def _fault(self, by: "User", note: str, *, approved: bool) -> str:
        if self.proposed_by_id == by.pk:
            return f"You proposed this. Another {self.DECIDER} must decide."
        if approved and not note:
            return ""
        if not approved and (fault := find_note_fault(note, most=LONGEST_REASON)):
            return f"Explain in the note why the proposal is rejected. {fault}"
        return find_text_fault(note, most=LONGEST_REASON)

    def _keep(self, step: Step, words: str, by: "User", now: datetime, *, at_shell: bool) -> None:
        """Record a step, and write its event."""
        name = by.get_username()
        record_step(self, step, by=name, now=now, at_shell=at_shell)
        columns = self.event_columns()
        self.events.create(state=self.state, by=name, at=now, words=words, **columns)  # type: ignore[attr-defined]


def four_eyes_constraints(name: str) -> list[models.CheckConstraint]:
    """Return the database constraints of proposals; their names begin with `name`."""
    undecided = Q(state="PROPOSED", decided_by__isnull=True, decided_at__isnull=True)
    decided = Q(
        state__in=["APPROVED", "REJECTED"], decided_by__isnull=False, decided_at__isnull=False
    )
    return [
        models.CheckConstraint(
            # the rule of two people holds in the database, whichever code writes the row
            condition=Q(decided_by__isnull=True) | ~Q(decided_by=F("proposed_by")),
            name=f"{name}_four_eyes",
        ),
        models.CheckConstraint(condition=undecided | decided, name=f"{name}_decided_by_somebody"),
    ]


def one_pending_constraint(*fields: str, name: str) -> models.UniqueConstraint:
    """Return the constraint that one thing, identified by `fields`, has one undecided proposal."""
    return models.UniqueConstraint(fields=fields, condition=Q(state="PROPOSED"), name=name)


class ProposalEvent(models.Model):
    """A step of a proposal with its note; append-only in the database."""

    APPEND_ONLY: ClassVar[bool] = True

    state = models.CharField(max_length=8, choices=Proposal.State)
    by = models.CharField(max_length=150, help_text="User name")
    at = models.DateTimeField()
    words = models.CharField(max_length=LONGEST_REASON, blank=True)

    class Meta:
        abstract = True
