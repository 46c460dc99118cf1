"""Which entities were looked up at the ESG sources, and when."""

from typing import ClassVar

from django.db import models


class EsgLookup(models.Model):
    """When the sources were last queried about an entity, and the result.

    `name` (empty without a confirmed one) and `country` are the search terms; `faults` has a
    sentence for each source that failed.
    """

    lei = models.CharField(max_length=20, primary_key=True)
    name = models.CharField(max_length=300, blank=True)
    country = models.CharField(max_length=2, blank=True)
    asked_at = models.DateTimeField()
    done_at = models.DateTimeField(null=True)
    found = models.PositiveIntegerField(default=0, help_text="New figures")
    faults = models.JSONField(default=dict, blank=True)

    class Meta:
        verbose_name = "lookup"
        verbose_name_plural = "ESG lookups"
        ordering: ClassVar[list[str]] = ["-asked_at"]
        default_permissions = ("view",)

    def __str__(self) -> str:
        return self.lei
