"""Observations: the value of a series for a day, its source, and when it was read. Append-only.

A corrected figure is a further row with a later `vintage`, so that every past answer can be
recomputed from what was known then. So is a withdrawal by the publisher, without a value.
"""

from typing import ClassVar

from django.db import models
from django.db.models import Q

from apps.reference.signals import row_macs


class Observation(models.Model):
    """One value of a series. `vintage` is when this value was first seen from this source."""

    APPEND_ONLY: ClassVar[bool] = True

    series = models.CharField(max_length=60, help_text="Such as fx.eur.USD")
    observed_on = models.DateField()
    value = models.DecimalField(
        max_digits=20, decimal_places=8, null=True, help_text="None: withdrawn by its publisher"
    )
    source = models.CharField(max_length=20, help_text="ECB, or SAMPLE")
    fetched_at = models.DateTimeField()
    vintage = models.DateTimeField()
    digest = models.CharField(
        max_length=64, blank=True, db_default="", help_text="SHA-256 of the file that had it"
    )
    proof = row_macs.ProofField(
        max_length=row_macs.LONGEST,
        blank=True,
        default="",
        db_default="",
        help_text="Key and MAC that prove that this platform stored it",
    )

    class Meta:
        ordering: ClassVar = ["series", "-observed_on", "-vintage"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["series", "observed_on", "source", "vintage"], name="observation_once"
            ),
            models.CheckConstraint(condition=~Q(source=""), name="observation_sourced"),
        ]
        indexes: ClassVar = [
            models.Index(fields=["digest"], condition=~Q(digest=""), name="observation_of_file")
        ]

    def __str__(self) -> str:
        return f"{self.series} on {self.observed_on:%d %b %Y}: {self.value_text}"

    @property
    def fault(self) -> str:
        """The fault of its proof, or an empty text. A value with a fault is not used."""
        return row_macs.find_proof_fault(self)

    @property
    def value_text(self) -> str:
        """The value as text, or that it was withdrawn."""
        return "withdrawn" if self.value is None else f"{self.value.normalize():,f}"


class Fetch(models.Model):
    """One fetch of a publisher's file, and its outcome.

    NEW: values were new; SAME: none was; UNCHANGED: the publisher said so; REJECTED: the file
    breaks its format, and the last good vintage stays; FAILED: the publisher did not answer.
    """

    class Outcome(models.TextChoices):
        NEW = "NEW", "New values"
        SAME = "SAME", "No new values"
        UNCHANGED = "UNCHANGED", "Not changed"
        REJECTED = "REJECTED", "Rejected"
        FAILED = "FAILED", "Failed"

    feed = models.CharField(max_length=60)
    at = models.DateTimeField()
    outcome = models.CharField(max_length=10, choices=Outcome)
    reason = models.CharField(max_length=500, blank=True)
    values = models.PositiveIntegerField(default=0, help_text="Number of new values")
    withdrawn = models.PositiveIntegerField(
        default=0, db_default=0, help_text="Number of them that withdraw an earlier value"
    )
    size = models.PositiveIntegerField(default=0, help_text="Bytes as received")
    digest = models.CharField(max_length=64, blank=True)
    etag = models.CharField(max_length=200, blank=True)
    last_modified = models.CharField(max_length=60, blank=True)
    asked = models.CharField(
        max_length=64, blank=True, db_default="", help_text="SHA-256 of the request"
    )

    class Meta:
        ordering: ClassVar = ["-at", "-pk"]
        verbose_name = "fetch of figures"
        verbose_name_plural = "fetches of figures"
        permissions: ClassVar = [("run_fetch", "Can fetch files of figures now")]
        indexes: ClassVar = [models.Index(fields=["feed", "-at"], name="fetch_of_feed")]

    def __str__(self) -> str:
        return f"{self.feed}: {self.get_outcome_display()}"


class RawFile(models.Model):
    """A file as its publisher sent it, compressed; kept while a newest value rests on it."""

    digest = models.CharField(max_length=64, primary_key=True)
    feed = models.CharField(max_length=60)
    fetched_at = models.DateTimeField()
    size = models.PositiveIntegerField()
    content = models.BinaryField()

    def __str__(self) -> str:
        return f"{self.feed}, {self.fetched_at:%d %b %Y %H:%M} UTC"
