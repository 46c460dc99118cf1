"""The ledger of registrations: each event has the row after it."""

from datetime import datetime
from typing import TYPE_CHECKING, Any, ClassVar

from django.conf import settings
from django.db import models

from apps.compliance.payees.models.registrations import Registration
from apps.compliance.payees.wallets import LONGEST_WALLET
from apps.platform.desk.proposal_records import snapshot_row
from apps.platform.ledger.records import LedgerRecord

if TYPE_CHECKING:
    from django.contrib.auth.models import User


class Action(models.TextChoices):
    """What can happen to a registration."""

    REGISTERED = "REGISTERED", "Registered"
    UPGRADED = "UPGRADED", "Upgraded with an LEI"
    CHANGED = "CHANGED", "Aliases or country changed"
    CLEARED = "CLEARED", "Review ended: registration kept"
    DEACTIVATED = "DEACTIVATED", "Deactivated"
    LEI_SEEN = "LEI_SEEN", "State of the LEI changed"
    ENTITY = "ENTITY", "Entity changed"
    ENTITY_REFUSED = "NOT_ENTITY", "Entity not changed"
    PROVED = "PROVED", "Control of the wallet proved"


class RegistrationEvent(LedgerRecord):
    """One event; payload: `stands`, the whole row after it, and its inputs.

    `submitted` as received, `findings` (rules that held), `evidence` (lists, GLEIF), `reason`.
    """

    LEDGER: ClassVar[str] = "registrations"
    YEARS: ClassVar[int] = 10  # as the screens that a registration rests on
    STEPS_OF: ClassVar[str] = "registration_id"

    # no constraint and no cascade: an event must survive whatever happens to the row, and show that
    # it is gone
    registration = models.ForeignKey(
        Registration, on_delete=models.DO_NOTHING, related_name="events", db_constraint=False
    )
    action = models.CharField(max_length=11, choices=Action)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    caller = models.CharField(max_length=80, blank=True, help_text="A client, as `account:7`")
    wallet = models.CharField(max_length=LONGEST_WALLET)

    class Meta:
        verbose_name = "registration event"
        default_permissions = ("view",)
        indexes: ClassVar[list[Any]] = [
            models.Index(fields=["wallet", "-id"], name="registration_event_of_wallet")
        ]
        constraints: ClassVar[list[Any]] = [
            models.CheckConstraint(
                condition=models.Q(action__in=Action.values), name="registration_action_known"
            ),
            models.UniqueConstraint(
                # a copy of an earlier event has a valid MAC and would restore the old state
                fields=["registration", "salt"],
                condition=~models.Q(salt=""),
                name="registration_event_never_copied",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_action_display()} {self.registration_id}"

    @classmethod
    def spared(cls, *, before: datetime) -> models.Q:
        """Keep what an active registration rests on, however old it is."""
        return models.Q(registration__active=True)

    @classmethod
    def keep(
        cls,
        registration: Registration,
        action: Action,
        *,
        now: datetime,
        by: "User | None" = None,
        caller: str = "",
        payload: dict[str, Any] | None = None,
    ) -> "RegistrationEvent":
        """Save a registration and append its event, with the state after it."""
        # first, because the event has the row as it then is
        registration.save()
        event: RegistrationEvent = cls.write(
            payload={"stands": snapshot_row(registration), **(payload or {})},
            now=now,
            registration=registration,
            wallet=registration.wallet,
            action=action,
            by=by,
            caller=caller,
        )
        return event
