"""Cases that need a person."""

from datetime import datetime
from typing import TYPE_CHECKING, Any, ClassVar

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from apps.backoffice.review import case_types
from apps.backoffice.review.models.bulk_clears import BulkClear
from apps.backoffice.review.models.case_choices import Escalation, Outcome, Risk, Status
from apps.backoffice.review.models.queue_queries import UNDECIDED, QueueQuerySet
from apps.backoffice.review.rules.bulk_and_merge import CaseTraits
from apps.platform.common.country_names import country_name
from apps.platform.common.money import MoneyField
from apps.platform.crypto.canonical import canonical_digest

if TYPE_CHECKING:
    from django.contrib.auth.models import User


class CaseQuerySet(QueueQuerySet["Case"]):
    """Cases, and the reads of the queue."""


class Case(models.Model):
    """One thing that an officer must decide, with what was known of it when it was opened.

    What was known never changes (its digest is in the ledger from the start on); status, claim and
    outcome do, each by one compare-and-set of `services`.
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
    # what the queue filters by, taken from rules and evidence: `|ref|ref|`, `list:id list:id`
    rule_refs = models.TextField(blank=True)
    entity_key = models.CharField(max_length=200, blank=True, db_index=True)
    needs_second = models.BooleanField(default=False)
    second_rule = models.CharField(max_length=20, blank=True)
    opened_at = models.DateTimeField()
    due_at = models.DateTimeField()

    status = models.CharField(max_length=15, choices=Status, default=Status.OPEN)
    claimed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    claimed_until = models.DateTimeField(null=True)
    assigned_to = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    escalation = models.CharField(max_length=7, choices=Escalation, blank=True)
    escalated_at = models.DateTimeField(null=True)
    snoozed_until = models.DateTimeField(null=True)
    merged_into = models.ForeignKey(
        "self", null=True, on_delete=models.PROTECT, related_name="merged"
    )
    bulk = models.ForeignKey(BulkClear, null=True, on_delete=models.PROTECT, related_name="cases")
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
            ("assign_case", "Can assign cases to officers"),
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
                condition=Q(needs_second=False, bulk__isnull=True)
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
                    | (
                        Q(status="AWAITING_SECOND", first_by__isnull=False)
                        & (Q(needs_second=True) | Q(bulk__isnull=False))
                    )
                    | Q(status__in=["DECIDED", "RETIRED"])
                ),
            ),
            models.CheckConstraint(
                name="case_claim_whole",
                condition=Q(claimed_by__isnull=True, claimed_until__isnull=True)
                | Q(claimed_by__isnull=False, claimed_until__isnull=False),
            ),
            models.CheckConstraint(
                name="case_escalation_whole",
                condition=Q(escalation="", escalated_at__isnull=True)
                | Q(escalation__in=Escalation.values, escalated_at__isnull=False),
            ),
            models.CheckConstraint(
                name="case_snoozed_while_open",
                condition=Q(snoozed_until__isnull=True) | Q(status="OPEN"),
            ),
            models.CheckConstraint(
                name="case_merged_rests",
                condition=Q(merged_into__isnull=True)
                | (
                    Q(status__in=["OPEN", "DECIDED"], claimed_by__isnull=True)
                    & Q(bulk__isnull=True)
                    & ~Q(merged_into=F("id"))
                ),
            ),
        ]
        indexes: ClassVar[list[Any]] = [
            # all that views, filters and orders of the queue look at: counting 20,000 cases
            # then reads no row, whose evidence may be long
            models.Index(
                fields=[
                    "status",
                    "merged_into",
                    "due_at",
                    "id",
                    "claimed_by",
                    "claimed_until",
                    "first_by",
                    "assigned_to",
                    "escalation",
                    "snoozed_until",
                    "kind",
                    "risk",
                    "owner",
                    "rule_refs",
                    "risk_score",
                    "amount_usd",
                    "opened_at",
                ],
                name="case_queue",
            ),
            models.Index(fields=["status", "-decided_at", "-id"], name="case_status_decided"),
            models.Index(fields=["claimed_by", "claimed_until"], name="case_claimed"),
            models.Index(fields=["owner", "-opened_at"], name="case_owner_opened"),
            models.Index(fields=["opened_at", "id"], name="case_opened"),
        ]

    def __str__(self) -> str:
        return f"Case {self.pk}: {self.party or self.title}"

    @property
    def kind_title(self) -> str:
        """What kind of case this is, in words."""
        return case_types.get_case_type_title(self.kind)

    @property
    def ended(self) -> bool:
        """Whether it needs no more decision: it is decided, or was retired."""
        return self.status not in UNDECIDED

    def words_of(self, outcome: str) -> case_types.OutcomeLabels:
        """Return an outcome in words: those of its kind, or of the rules that brought it here."""
        return case_types.get_outcome_labels(
            self.kind, outcome, filter(None, self.rule_refs.split("|"))
        )

    @property
    def outcome_words(self) -> case_types.OutcomeLabels:
        """How it was decided, in its kind's words."""
        return self.words_of(self.outcome)

    @property
    def first_outcome_words(self) -> case_types.OutcomeLabels:
        """What the first officer decided, in its kind's words."""
        return self.words_of(self.first_outcome)

    @property
    def second_sentence(self) -> str:
        """Why a second officer is needed, or an empty text."""
        return case_types.get_second_rule_sentence(self.kind, self.second_rule)

    def holder(self, now: datetime) -> "User | None":
        """Return who holds the case at `now`; a claim that ran out holds nothing."""
        if self.claimed_until is None or self.claimed_until <= now:
            return None
        return self.claimed_by

    @property
    def own_lei(self) -> str:
        """The LEI that was given, or an empty text where a rule found it to be another's."""
        return case_types.drop_disowned_lei(self.lei, self.rule_refs)

    @property
    def refs(self) -> list[str]:
        """The references of the rules that brought it here."""
        return [rule["ref"] for rule in self.rules]

    @property
    def told(self) -> list[dict[str, Any]]:
        """The rules that brought the case here, the most severe first, in officers' words."""
        return [
            rule | {"sentence": case_types.format_recorded_sentence(self.kind, rule["sentence"])}
            for rule in case_types.sort_rules_by_severity(self.kind, self.rules)
        ]

    @property
    def country_words(self) -> str:
        """The country by its name."""
        return country_name(self.country)

    def likeness(self) -> CaseTraits:
        """Return what must agree between cases that are worked on together.

        A rule that informs alone brought no case here: it makes no two cases unlike.
        """
        refs = filter(None, self.rule_refs.split("|"))  # a list of cases has no `rules` at hand
        weighty = sorted({ref for ref in refs if not case_types.get_rule_label(ref).informs})
        return CaseTraits(
            kind=self.kind,
            owner=self.owner,
            risk=self.risk,
            entity=self.entity_key,
            rules="|".join(weighty),
            needs_second=self.needs_second,
            escalated=self.escalation == Escalation.OFFICER,
        )

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
        return canonical_digest(self.facts())
