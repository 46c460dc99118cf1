"""Reconciliations of our records with the bank's statement."""

from typing import Any, ClassVar

from django.db import models

from apps.platform.ledger.records import LedgerRecord


class StatementRun(LedgerRecord):
    """One reconciliation of one account.

    Payload: `differences`, rows of code, reference and amounts. `entries` are those of the
    statement, `ours` the ones that we compare with them.
    """

    LEDGER: ClassVar[str] = "bank_statements"

    account_id = models.CharField("account", max_length=100)
    since = models.DateField("from")
    until = models.DateField("to")
    entries = models.PositiveIntegerField("lines of the statement")
    ours = models.PositiveIntegerField("of ours")
    differences = models.PositiveIntegerField()

    class Meta:
        verbose_name = "comparison with the bank"
        verbose_name_plural = "comparisons with the bank"
        ordering: ClassVar[list[str]] = ["-pk"]
        default_permissions = ("view",)
        indexes: ClassVar[list[Any]] = [
            models.Index(fields=["account_id", "-id"], name="bank_statement_of")
        ]

    def __str__(self) -> str:
        return f"{self.account_id} {self.since:%d %b %Y} to {self.until:%d %b %Y}"
