"""Daily editions of the causal graph: append-only records."""

from typing import Any, ClassVar

from django.db import models

from apps.platform.ledger.records import LedgerRecord


class GraphEdition(LedgerRecord):
    """The causal graph from what was known at the start of a day; `number` counts editions.

    `share` is the mean part of the figures in the weights, in ten-thousandths, of which `phase`
    tells. Payload: `edges` (ends, lag, theory, figures, how unlikely these are by chance, months,
    whether they were found, weight), `path`, `most`, `coverage` and `missing`.
    """

    LEDGER: ClassVar[str] = "graph_editions"
    YEARS: ClassVar[int] = 10

    number = models.PositiveIntegerField(unique=True)
    day = models.DateField()
    version = models.CharField(max_length=20)
    phase = models.CharField(max_length=10)
    share = models.PositiveIntegerField()
    quality = models.CharField(max_length=10)

    class Meta:
        verbose_name = "causal graph edition"
        verbose_name_plural = "causal graph editions"
        ordering: ClassVar[list[str]] = ["-pk"]
        default_permissions = ("view",)
        constraints: ClassVar[list[Any]] = [
            models.UniqueConstraint(fields=["day", "version"], name="graph_edition_once"),
        ]

    def __str__(self) -> str:
        return f"Edition {self.number} of {self.day:%d %b %Y}, {self.phase}"
