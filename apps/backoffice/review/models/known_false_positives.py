"""Known false positives: a party of one client that is not a certain listed party."""

from datetime import datetime
from typing import Any, ClassVar

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from apps.backoffice.review.models.cases import Case
from apps.platform.crypto.canonical import canonical_digest
from apps.platform.ledger.records import LedgerRecord

LONGEST_ENTITY = 330  # `list:id`; some ids name their list again
NO_EXTENSION: dict[str, None] = {
    "extend_to": None, "extend_by": None, "extend_at": None, "extended_by": None,
}  # fmt: skip
FACTS = (
    "kind", "owner", "party", "party_key", "lei", "entity", "label", "entry", "case_id",
    "reason_code",
)  # fmt: skip
PARTY = ("party", "party_key", "lei")  # what is personal of these


class KnownState(models.TextChoices):
    PROPOSED = "PROPOSED", "Proposed"
    IN_FORCE = "IN_FORCE", "In force"
    REJECTED = "REJECTED", "Rejected"
    ENDED = "ENDED", "Ended"
    WOKEN = "WOKEN", "Woken: the listed entry is another"
    EXPIRED = "EXPIRED", "Expired"


LIVE = (KnownState.PROPOSED, KnownState.IN_FORCE)


class KnownFalsePositive(models.Model):
    """The finding that a party of one client is not a certain listed party.

    Proposed by one officer with the decision on a case, put into force by another. It holds up to
    and on `expires_on`, while the listed entry has the digest `entry`. What officers wrote is in
    the ledger, and none of it here.
    """

    kind = models.CharField(max_length=40)
    owner = models.CharField(max_length=80, help_text="The tenant, as `account:7`")
    party = models.CharField(max_length=500)
    party_key = models.CharField(max_length=500)
    lei = models.CharField(max_length=20, blank=True)
    entity = models.CharField(max_length=LONGEST_ENTITY, help_text="As `list:id`")
    label = models.CharField(max_length=300, help_text="The listed party as shown")
    entry = models.CharField(max_length=64, help_text="Digest of the listed entry at that time")
    pair = models.CharField(max_length=64, help_text="Digest over client, party and entity")
    case = models.ForeignKey(Case, on_delete=models.PROTECT, related_name="known")
    reason_code = models.CharField(max_length=40)
    state = models.CharField(max_length=8, choices=KnownState, default=KnownState.PROPOSED)
    proposed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    proposed_at = models.DateTimeField()
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    decided_at = models.DateTimeField(null=True)
    expires_on = models.DateField("until", help_text="The last day on which it holds")
    extend_to = models.DateField(null=True)
    extend_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    extend_at = models.DateTimeField(null=True)
    extended_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )

    class Meta:
        verbose_name = "known false positive"
        default_permissions = ("view",)
        permissions: ClassVar[list[Any]] = [
            ("confirm_known", "Can approve or reject another officer's known false positive"),
        ]
        constraints: ClassVar[list[Any]] = [
            models.CheckConstraint(
                name="known_four_eyes",
                condition=Q(decided_by__isnull=True) | ~Q(decided_by=F("proposed_by")),
            ),
            models.CheckConstraint(
                name="known_extension_four_eyes",
                condition=Q(extended_by__isnull=True)
                | (Q(extend_by__isnull=False) & ~Q(extended_by=F("extend_by"))),
            ),
            models.CheckConstraint(
                name="known_decided_whole",
                condition=Q(
                    state__in=["PROPOSED", "EXPIRED"],
                    decided_by__isnull=True,
                    decided_at__isnull=True,
                )
                | Q(
                    state__in=["IN_FORCE", "REJECTED", "ENDED", "WOKEN", "EXPIRED"],
                    decided_by__isnull=False,
                    decided_at__isnull=False,
                ),
            ),
            models.CheckConstraint(
                name="known_extension_whole",
                condition=Q(extend_to__isnull=True)
                | Q(
                    state="IN_FORCE",
                    extend_by__isnull=False,
                    extend_at__isnull=False,
                    extended_by__isnull=True,
                ),
            ),
            models.UniqueConstraint(
                fields=["pair"],
                condition=Q(state__in=["PROPOSED", "IN_FORCE"]),
                name="known_one_standing",
            ),
        ]
        indexes: ClassVar[list[Any]] = [
            models.Index(fields=["owner", "entity"], name="known_owner_entity"),
            models.Index(fields=["state", "id"], name="known_state"),
            # few wait at a time: they are counted on the home page of those who decide on them
            models.Index(
                fields=["extend_at"],
                condition=Q(extend_to__isnull=False),
                name="known_extension_waits",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.whose} is not {self.label}"

    @property
    def whose(self) -> str:
        """The party by name, if it was not erased."""
        return self.party or "A party that was erased"

    @property
    def listed_id(self) -> str:
        """The listed party as `list:id`; some ids name their list themselves, once is enough."""
        place, _, number = self.entity.partition(":")
        return number if number.startswith(f"{place}:") else self.entity

    def facts(self) -> dict[str, Any]:
        """Return what was proposed, the part that never changes."""
        return {name: getattr(self, name) for name in FACTS}

    def facts_digest(self) -> str:
        """Return the SHA-256 over what was proposed."""
        return canonical_digest(self.facts())

    def erase(self) -> bool:
        """Erase the party, so that it no longer applies; returns whether it was still in force."""
        stood = self.state in LIVE
        if stood:
            self.state = KnownState.EXPIRED
            for name in NO_EXTENSION:
                setattr(self, name, None)
        for name in PARTY:
            setattr(self, name, "")
        whose = {name: getattr(self, name) for name in ("owner", "party_key", "lei", "entity")}
        # without the name too: a digest of a name reveals it to whoever guesses it
        self.pair = compute_pair_digest(**whose)
        self.save()
        return stood


def compute_pair_digest(*, owner: str, party_key: str, lei: str, entity: str) -> str:
    """Return the digest of client, party and listed party; only one in force may have it."""
    return canonical_digest([owner, party_key, lei, entity])


class KnownAction(models.TextChoices):
    PROPOSED = "PROPOSED", "Proposed"
    APPROVED = "APPROVED", "Approved"
    REJECTED = "REJECTED", "Rejected"
    EXTENSION = "EXTENSION", "Extension proposed"
    EXTENDED = "EXTENDED", "Extended"
    KEPT = "KEPT", "Extension rejected"
    ENDED = "ENDED", "Ended"
    WOKEN = "WOKEN", "Woken"
    EXPIRED = "EXPIRED", "Expired"


class KnownEvent(LedgerRecord):
    """One step of a known false positive. What officers wrote is in the payload alone."""

    LEDGER: ClassVar[str] = "known_false_positives"
    YEARS: ClassVar[int] = 10  # as long as the decisions that rest on it

    known = models.ForeignKey(KnownFalsePositive, on_delete=models.PROTECT, related_name="events")
    action = models.CharField(max_length=9, choices=KnownAction)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )

    class Meta:
        default_permissions = ()
        constraints: ClassVar[list[Any]] = [
            models.CheckConstraint(
                name="known_action_known", condition=Q(action__in=KnownAction.values)
            ),
            models.CheckConstraint(
                # an entry that changes, and a day that passes, end it by themselves
                name="known_by_somebody",
                condition=Q(action__in=["WOKEN", "EXPIRED"]) | Q(by__isnull=False),
            ),
            models.UniqueConstraint(
                fields=["known"], condition=Q(action="PROPOSED"), name="known_proposed_once"
            ),
            models.UniqueConstraint(
                fields=["known"], condition=Q(action="APPROVED"), name="known_approved_once"
            ),
        ]
        indexes: ClassVar[list[Any]] = [
            # what ended lately is counted on the home page of seniors
            models.Index(fields=["action", "recorded_at"], name="known_event_ends"),
        ]

    def __str__(self) -> str:
        return f"{self.get_action_display()}: known false positive {self.known_id}"

    def forget(self, *, now: datetime) -> None:
        """Erase the party when its proposal is purged, and record the end if it was in force."""
        if self.action != KnownAction.PROPOSED:
            return
        known = KnownFalsePositive.objects.select_for_update().get(pk=self.known_id)
        if known.erase():
            columns = {"known": known, "action": KnownAction.EXPIRED, "by": None}
            KnownEvent.write(payload={"why": "ERASED"}, now=now, **columns)

    @classmethod
    def spared(cls, *, before: datetime) -> Q:
        """Spare what is said of one that still holds: why it does must stay readable."""
        return Q(known__state__in=LIVE)
