"""Cases that are cleared together, proposed by one officer and confirmed by another."""

from django.conf import settings
from django.db import models


class BulkClear(models.Model):
    """Cases of one listed party that one officer proposed to clear together (feature 24).

    What was written about it is in the ledger, with each of its cases; none of it is here.
    """

    entity_key = models.CharField(max_length=200)
    proposed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    proposed_at = models.DateTimeField()

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"Bulk clear {self.pk}"
