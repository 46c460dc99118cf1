"""Counts of messages that are the same bytes, kept for their day."""

from typing import Any, ClassVar

from django.db import models


class AlikeOfDay(models.Model):
    """How many messages of one sender and of the same bytes were recorded on a day in UTC.

    `came_of` is a keyed digest of sender and bytes. Only those count that came under an id which
    names no payment of ours (apps/payments/travelrule/services/repeated_messages.py).
    """

    came_of = models.CharField(max_length=64)
    day = models.DateField()
    count = models.PositiveIntegerField(default=0)

    class Meta:
        default_permissions = ()
        verbose_name_plural = "messages alike of a day"
        constraints: ClassVar[list[Any]] = [
            models.UniqueConstraint(fields=["day", "came_of"], name="tr_alike_once")
        ]

    def __str__(self) -> str:
        return f"{self.day} {self.came_of[:8]}: {self.count}"
