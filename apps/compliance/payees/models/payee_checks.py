"""Payee checks: an append-only, sealed record of each."""

from typing import Any, ClassVar

from django.db import models

from apps.compliance.payees.rules.payee_check import RESULTS
from apps.platform.ledger.records import LedgerRecord


class VopCheck(LedgerRecord):
    """One payee check: the envelope has the result, the payload the parties and the reasons.

    Payload: `request`, `response` (as returned), `evidence` (the registration then, how the
    names compare, what is known of the LEI), `versions` (rules, matcher).
    """

    LEDGER: ClassVar[str] = "payee_checks"

    request_id = models.UUIDField(unique=True)
    owner = models.CharField(max_length=80)
    wallet = models.CharField(max_length=128)
    result = models.CharField(max_length=24)
    score = models.PositiveSmallIntegerField()
    resolved_by = models.CharField(max_length=16)
    rules_version = models.CharField(max_length=20)

    class Meta:
        # payee checks were an app of their own (docs/renames.csv); tables keep their names
        db_table = "vop_vopcheck"
        verbose_name = "payee check"
        ordering: ClassVar[list[str]] = ["-pk"]
        default_permissions = ("view",)
        permissions: ClassVar[list[Any]] = [("view_asker", "Can see who requested a payee check")]
        indexes: ClassVar[list[Any]] = [
            models.Index(fields=["wallet", "-id"], name="vopcheck_wallet"),
            models.Index(fields=["owner", "-id"], name="vopcheck_owner"),
            models.Index(fields=["result", "-id"], name="vopcheck_result"),
            models.Index(fields=["recorded_at"], name="vopcheck_time"),
        ]
        constraints: ClassVar[list[Any]] = [
            models.CheckConstraint(
                condition=models.Q(result__in=list(RESULTS)),
                name="vopcheck_result_known",
            ),
            models.CheckConstraint(
                condition=models.Q(score__gte=0, score__lte=100), name="vopcheck_score_percent"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.request_id} {self.result}"
