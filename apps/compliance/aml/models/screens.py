"""AML screens: an append-only, sealed record of each; events are those of them that warn."""

from collections.abc import Collection, Sequence
from typing import Any, ClassVar

from django.db import models
from django.db.models import Q, Value
from django.db.models.functions import Cast

from apps.backoffice.sar.models import SarEntry, list_blocked_entries
from apps.compliance.aml.models.expected_activity import DeclaredAccount
from apps.compliance.aml.models.profiles import Standing, select_flagged
from apps.platform.crypto.canonical import canonical_digest
from apps.platform.db.compiled_statements import CompiledSelect
from apps.platform.ledger.records import LedgerRecord

KIND = "aml"  # of its cases and of its entries in the SAR log
DECLARED = (
    "DECLARED"  # how `load_payment_surroundings` marks that activity of the wallet is declared
)


class Level(models.TextChoices):
    """How severe an event is; a screen that proceeds is none."""

    NONE = "", "None"
    WARNING = "WARNING", "Warning"
    CRITICAL = "CRITICAL", "Critical"


class AmlScreen(LedgerRecord):
    """One AML screen: the envelope has the decision, the payload the parties and the reasons.

    Payload: `request`, `response` (as returned), `evidence` (both profiles before the payment,
    related payments, lists), `versions`. `counted`: this screen added the payment to the profiles;
    the database allows one per `payment_key`. `sampled`: selected at random for review.
    """

    LEDGER: ClassVar[str] = "aml_screens"
    YEARS: ClassVar[int] = 10  # OFAC: 31 CFR 501.601, ten years since March 2025

    screen_id = models.UUIDField(unique=True)
    owner = models.CharField(max_length=80)
    wallet = models.CharField(max_length=128)
    counterparty = models.CharField(max_length=128)
    payment_key = models.CharField(max_length=64)
    counted = models.BooleanField()
    action = models.CharField(max_length=7)
    risk_score = models.PositiveSmallIntegerField()
    rule = models.CharField(max_length=10)
    cohort = models.CharField(max_length=11)
    level = models.CharField(max_length=8, blank=True, choices=Level)
    sampled = models.BooleanField()
    weights = models.PositiveIntegerField()
    rules_version = models.CharField(max_length=20)
    sample = models.BooleanField()

    class Meta:
        verbose_name = "AML screen"
        ordering: ClassVar[list[str]] = ["-pk"]
        default_permissions = ("view",)
        indexes: ClassVar[list[Any]] = [
            # of the first screen of a payment `amlscreen_counted_once` knows
            models.Index(
                fields=["payment_key", "id"], condition=Q(counted=False), name="amlscreen_again"
            ),
            models.Index(fields=["wallet", "-id"], name="amlscreen_wallet"),
        ]
        constraints: ClassVar[list[Any]] = [
            models.UniqueConstraint(
                fields=["payment_key"], condition=Q(counted=True), name="amlscreen_counted_once"
            ),
            models.CheckConstraint(
                condition=Q(action__in=["PROCEED", "FLAG", "BLOCK"]), name="amlscreen_action"
            ),
            models.CheckConstraint(
                condition=Q(risk_score__gte=0, risk_score__lte=100), name="amlscreen_percent"
            ),
        ]

    def __str__(self) -> str:
        text = {"PROCEED": "let through", "FLAG": "flagged", "BLOCK": "blocked"}[self.action]
        return f"Payment {text}, screen {self.screen_id}"

    @staticmethod
    def key_of(*, owner: str, payment_id: str, sender: str, receiver: str) -> str:
        """Return by what a payment is known: its caller, their id of it, and the two wallets."""
        return canonical_digest([owner, payment_id, sender, receiver])

    @classmethod
    def spared(cls, *, before: Any) -> models.Q:
        # 31 CFR 501.601: screens behind blocked property are kept until ten years after its release
        entries = SarEntry.objects.filter(kind=KIND, pk__in=list_blocked_entries(before=before))
        return models.Q(screen_id__in=list(entries.values_list("ref", flat=True)))


def load_payment_surroundings(
    *, key: str, wallet: str, neighbours: Collection[str]
) -> tuple[list[int], dict[str, bool], bool]:
    """Return earlier screens of a payment, flagged neighbours, and whether activity is declared.

    One query. For a flagged one: whether it is on a list (`profiles.flagged`).
    """
    rows = SURROUNDINGS.rows([key, wallet, *neighbours])
    known = [int(name) for name, standing in rows if not standing]
    flagged = {
        name: Standing(standing).listed for name, standing in rows if standing not in ("", DECLARED)
    }
    return known, flagged, any(standing == DECLARED for _, standing in rows)


def _select_payment_surroundings(values: Sequence[str]) -> Any:
    key, wallet, *neighbours = values
    # each half has an index of its own
    first, again = (Q(payment_key=key, counted=flag) for flag in (True, False))
    screens = AmlScreen.objects.filter(first | again).order_by()
    # a union needs columns of one type: numbers as text, and an empty standing marks them
    known = screens.values_list(Cast("pk", models.TextField()), Value("", models.TextField()))
    declared = DeclaredAccount.objects.filter(account=wallet).order_by()
    querysets = [declared.values_list("account", Value(DECLARED, models.TextField()))]
    if neighbours:
        querysets.append(select_flagged(neighbours))
    return known.union(*querysets, all=True)


SURROUNDINGS = CompiledSelect(_select_payment_surroundings)
