"""Observations: what was read for a series and a day, when, and from whom. Nothing is changed.

A corrected figure is a further row with a later `vintage`, so that every past answer can be
computed again from what was known then.
"""

from typing import ClassVar

from django.db import models
from django.db.models import Q


class Observation(models.Model):
    """One value of a series. `vintage` is when this value was first seen from this source."""

    APPEND_ONLY: ClassVar[bool] = True

    series = models.CharField(max_length=60, help_text="Such as fx.eur.USD")
    observed_on = models.DateField()
    value = models.DecimalField(max_digits=20, decimal_places=8)
    source = models.CharField(max_length=20, help_text="ECB, or SAMPLE")
    fetched_at = models.DateTimeField()
    vintage = models.DateTimeField()

    class Meta:
        ordering: ClassVar = ["series", "-observed_on", "-vintage"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["series", "observed_on", "source", "vintage"], name="observation_once"
            ),
            models.CheckConstraint(condition=~Q(source=""), name="observation_sourced"),
        ]

    def __str__(self) -> str:
        return f"{self.series} on {self.observed_on}: {self.value}"
