"""Cases that need a person, and the ledger of what officers did with them."""

from datetime import datetime
from typing import TYPE_CHECKING, Any, ClassVar, Self

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from apps.core.canonical import digest
from apps.core.ledger import LedgerRecord
from apps.core.money import MoneyField
from apps.review.rules import SECOND_BY_REF, party_key
from config.review import KINDS

if TYPE_CHECKING:
    from django.contrib.auth.models import User


class Risk(models.TextChoices):
    LOW = "LOW", "Low"
    MEDIUM = "MEDIUM", "Medium"
    HIGH = "HIGH", "High"


class Status(models.TextChoices):
    OPEN = "OPEN", "Open"
    AWAITING_SECOND = "AWAITING_SECOND", "Awaiting second officer"
    DECIDED = "DECIDED", "Decided"


class Outcome(models.TextChoices):
    APPROVE = "APPROVE", "Approved"
    REJECT = "REJECT", "Rejected"


UNDECIDED = (Status.OPEN, Status.AWAITING_SECOND)


class CaseQuerySet(models.QuerySet["Case"]):
    """Reads of the queue."""

    def undecided(self) -> Self:
        """Return the cases that still need somebody."""
        return self.filter(status__in=UNDECIDED)

    def due_first(self) -> Self:
        """Order by due time."""
        return self.order_by("due_at", "pk")

    def late(self, now: datetime) -> Self:
        """Return undecided cases past their due time."""
        return self.undecided().filter(due_at__lt=now)

    def mine(self, user: "User", now: datetime) -> Self:
        """Return undecided cases that a user holds."""
        return self.undecided().filter(claimed_by=user, claimed_until__gt=now)

    def free_for(self, user: "User", now: datetime) -> Self:
        """Return cases that nobody else holds."""
        return self.filter(Q(claimed_by=None) | Q(claimed_by=user) | Q(claimed_until__lte=now))

    def waiting_for(self, user: "User") -> Self:
        """Return cases that wait for a second officer and may have this one."""
        return self.filter(status=Status.AWAITING_SECOND).exclude(first_by=user)

    def open_to(self, user: "User", now: datetime) -> Self:
        """Return what a user may take now, due first."""
        workable = Q(status=Status.OPEN)
        if user.has_perm("review.approve_second"):
            workable |= Q(status=Status.AWAITING_SECOND) & ~Q(first_by=user)
        return self.filter(workable).free_for(user, now).due_first()

    def search(self, text: str) -> Self:
        """Return cases by words of the party's name, wallet, LEI or the caller's reference."""
        exact = text.strip().lower()
        found = Q(wallet_key=exact) | Q(lei=exact.upper()) | Q(reference_key__startswith=exact)
        words = party_key(text).split()
        if words:
            named = Q()
            for word in words[:8]:
                named &= Q(party_key__contains=word)
            found |= named
        return self.filter(found) if exact else self

    def same_party(self, case: "Case") -> Self:
        """Return the other cases of a party: the same name, LEI or wallet."""
        same = Q(party_key=case.party_key)
        if case.lei:
            same |= Q(lei=case.lei)
        if case.wallet_key:
            same |= Q(wallet_key=case.wallet_key)
        return self.filter(same).exclude(pk=case.pk).order_by("-opened_at", "-pk")


class Case(models.Model):
    """One thing that an officer must decide, with what was known of it when it was opened.

    What was known never changes (its digest is in the ledger from the start on); status,
    claim and outcome do, each by one compare-and-set in `actions`.
    """

    kind = models.CharField(max_length=40)
    ref = models.CharField(max_length=100, help_text="The domain record's id")
    owner = models.CharField(max_length=80, help_text="The tenant, as `account:7`")
    title = models.CharField(max_length=300)
    summary = models.TextField(blank=True)
    party = models.CharField(max_length=500, blank=True)
    party_key = models.CharField(max_length=500, blank=True, db_index=True)
    country = models.CharField(max_length=2, blank=True)
    lei = models.CharField(max_length=20, blank=True, db_index=True)
    wallet = models.CharField(max_length=200, blank=True)
    wallet_key = models.CharField(max_length=200, blank=True, db_index=True)
    reference = models.CharField(max_length=200, blank=True)
    reference_key = models.CharField(max_length=200, blank=True, db_index=True)
    amount = MoneyField(null=True, blank=True)
    currency = models.CharField(max_length=10, blank=True)
    amount_usd = MoneyField(null=True, blank=True)
    risk = models.CharField(max_length=6, choices=Risk)
    risk_score = models.PositiveSmallIntegerField(default=0)
    rules = models.JSONField(default=list)
    evidence = models.JSONField(default=dict)
    needs_second = models.BooleanField(default=False)
    second_rule = models.CharField(max_length=20, blank=True)
    opened_at = models.DateTimeField()
    due_at = models.DateTimeField()

    status = models.CharField(max_length=15, choices=Status, default=Status.OPEN)
    claimed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    claimed_until = models.DateTimeField(null=True)
    first_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    first_at = models.DateTimeField(null=True)
    first_outcome = models.CharField(max_length=7, choices=Outcome, blank=True)
    second_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    second_at = models.DateTimeField(null=True)
    outcome = models.CharField(max_length=7, choices=Outcome, blank=True)
    reason_code = models.CharField(max_length=40, blank=True)
    decided_at = models.DateTimeField(null=True)

    objects = CaseQuerySet.as_manager()

    class Meta:
        default_permissions = ("view",)
        permissions: ClassVar[list[Any]] = [
            ("claim_case", "Can claim and release cases"),
            ("decide_case", "Can decide cases"),
            ("approve_second", "Can confirm or return another officer's decision"),
        ]
        constraints: ClassVar[list[Any]] = [
            models.UniqueConstraint(fields=["kind", "ref"], name="case_one_per_record"),
            models.CheckConstraint(
                name="case_values_known",
                condition=Q(risk__in=Risk.values)
                & Q(status__in=Status.values)
                & Q(first_outcome__in=["", *Outcome.values]),
            ),
            models.CheckConstraint(
                name="case_high_risk_needs_second",
                condition=~Q(risk="HIGH") | Q(needs_second=True),
            ),
            models.CheckConstraint(
                name="case_second_rule_paired",
                condition=(Q(needs_second=True) & ~Q(second_rule=""))
                | Q(needs_second=False, second_rule=""),
            ),
            models.CheckConstraint(
                name="case_four_eyes",
                condition=Q(needs_second=False)
                | ~Q(status="DECIDED")
                | (
                    Q(first_by__isnull=False, second_by__isnull=False, second_at__isnull=False)
                    & ~Q(first_by=F("second_by"))
                    & Q(outcome=F("first_outcome"))
                ),
            ),
            models.CheckConstraint(
                name="case_decided_whole",
                condition=(
                    Q(status="DECIDED", decided_at__isnull=False, first_by__isnull=False)
                    & Q(outcome__in=["APPROVE", "REJECT"])
                    & ~Q(reason_code="")
                )
                | (~Q(status="DECIDED") & Q(outcome="", decided_at__isnull=True)),
            ),
            models.CheckConstraint(
                name="case_first_whole",
                condition=(
                    Q(first_by__isnull=False, first_at__isnull=False)
                    & Q(first_outcome__in=["APPROVE", "REJECT"])
                )
                | Q(first_by__isnull=True, first_at__isnull=True, first_outcome=""),
            ),
            models.CheckConstraint(
                name="case_awaiting_has_first",
                condition=(
                    Q(status="OPEN", first_by__isnull=True)
                    | Q(status="AWAITING_SECOND", first_by__isnull=False, needs_second=True)
                    | Q(status="DECIDED")
                ),
            ),
            models.CheckConstraint(
                name="case_claim_whole",
                condition=Q(claimed_by__isnull=True, claimed_until__isnull=True)
                | Q(claimed_by__isnull=False, claimed_until__isnull=False),
            ),
        ]
        indexes: ClassVar[list[Any]] = [
            models.Index(fields=["status", "due_at", "id"], name="case_status_due"),
            models.Index(fields=["status", "-decided_at", "-id"], name="case_status_decided"),
            models.Index(fields=["claimed_by", "claimed_until"], name="case_claimed"),
            models.Index(fields=["owner", "-opened_at"], name="case_owner_opened"),
        ]

    def __str__(self) -> str:
        return f"Case {self.pk}: {self.party or self.title}"

    @property
    def kind_title(self) -> str:
        """What kind of case this is, in words."""
        return KINDS[self.kind].title if self.kind in KINDS else self.kind

    @property
    def second_sentence(self) -> str:
        """Why a second officer is needed, or an empty text."""
        rule = SECOND_BY_REF.get(self.second_rule)
        return rule.sentence if rule else ""

    def holder(self, now: datetime) -> "User | None":
        """Return who holds the case at `now`; a claim that ran out holds nothing."""
        if self.claimed_until is None or self.claimed_until <= now:
            return None
        return self.claimed_by

    def facts(self) -> dict[str, Any]:
        """Return what was known at opening, the part that never changes."""
        fixed = (
            "kind", "ref", "owner", "title", "summary", "party", "country", "lei", "wallet",
            "reference", "amount", "currency", "amount_usd", "risk", "risk_score", "rules",
            "evidence", "needs_second", "second_rule",
        )  # fmt: skip
        return {name: getattr(self, name) for name in fixed}

    def facts_digest(self) -> str:
        """Return the SHA-256 over what was known at opening."""
        return digest(self.facts())


class Action(models.TextChoices):
    OPENED = "OPENED", "Opened"
    CLAIMED = "CLAIMED", "Claimed"
    RELEASED = "RELEASED", "Released"
    PROPOSED = "PROPOSED", "First decision"
    RETURNED = "RETURNED", "Returned by the second officer"
    DECIDED = "DECIDED", "Decided"


class DecisionEvent(LedgerRecord):
    """One step of a case. What officers wrote is in the payload, and nowhere else."""

    LEDGER = "decisions"

    case = models.ForeignKey(Case, on_delete=models.PROTECT, related_name="events")
    action = models.CharField(max_length=10, choices=Action)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    outcome = models.CharField(max_length=7, choices=Outcome, blank=True)

    class Meta:
        default_permissions = ("view",)
        constraints: ClassVar[list[Any]] = [
            models.CheckConstraint(
                name="decision_action_known", condition=Q(action__in=Action.values)
            ),
            models.CheckConstraint(
                name="decision_by_somebody", condition=Q(action="OPENED") | Q(by__isnull=False)
            ),
            models.CheckConstraint(
                name="decision_outcome_when_due",
                condition=Q(action__in=["PROPOSED", "DECIDED"], outcome__in=["APPROVE", "REJECT"])
                | (~Q(action__in=["PROPOSED", "DECIDED"]) & Q(outcome="")),
            ),
            models.UniqueConstraint(
                fields=["case"], condition=Q(action="OPENED"), name="decision_opened_once"
            ),
            models.UniqueConstraint(
                fields=["case"], condition=Q(action="DECIDED"), name="decision_decided_once"
            ),
        ]
        indexes: ClassVar[list[Any]] = [
            models.Index(fields=["by", "-recorded_at"], name="decision_by_officer")
        ]

    def __str__(self) -> str:
        return f"{self.get_action_display()}: case {self.case_id}"
