"""Weights that are learnt from outcomes: one person proposes them, another puts them into force."""

from datetime import datetime
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from django.db import models

from apps.platform.common.problems import Conflict
from apps.platform.desk.models import Proposal
from apps.platform.ledger.records import LedgerRecord

if TYPE_CHECKING:
    from django.contrib.auth.models import User


class WeightsRecord(LedgerRecord):
    """One version of the weights, in force from its approval; the newest is in force.

    Payload: `weights`, `grounds`, `measured`, `returnsTo`, `proposedBy`, `approvedBy`, `reason`.
    """

    YEARS: ClassVar[int] = 10

    version = models.PositiveIntegerField(unique=True)

    class Meta:
        abstract = True


Record = TypeVar("Record", bound=WeightsRecord)


class WeightsProposal(Proposal):
    """Proposed weights, with `grounds` (what changes and why) and `measured` before and after.

    `based_on` is the version that they were computed from; a return to an earlier version names it
    in `returns_to`.
    """

    weights = models.JSONField()
    grounds = models.JSONField()
    measured = models.JSONField()
    based_on = models.PositiveIntegerField()
    returns_to = models.PositiveIntegerField(null=True)

    class Meta:
        abstract = True

    def event_columns(self) -> dict[str, Any]:
        return {}

    def put_into_force(
        self,
        model: type[Record],
        *,
        by: "User",
        note: str,
        now: datetime,
        refused: type[Conflict],
        prior_version: int,
        **columns: Any,
    ) -> Record:
        """Approve the weights and record them as the next version, with its other `columns`.

        Raises `refused` if other weights came into force since; `prior_version` is that of weights
        without a record. Needs a transaction.
        """
        self.settle(approved=True, by=by, note=note, now=now, refused=refused)
        newest = model._default_manager.select_for_update().order_by("-version").first()
        version = newest.version if newest else prior_version
        if version != self.based_on:
            raise refused(f"Weights {version} came into force after this proposal: propose again.")
        record: Record = model.write(
            payload={
                "weights": self.weights,
                "grounds": self.grounds,
                "measured": self.measured,
                "returnsTo": self.returns_to,
                **self.grounds_of_approval(by),
            },
            now=now,
            version=version + 1,
            change=self,
            **columns,
        )
        return record
