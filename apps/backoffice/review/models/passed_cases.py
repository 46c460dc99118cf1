"""Cases that an officer skipped when taking the next one."""

from typing import Any, ClassVar

from django.conf import settings
from django.db import models

from apps.backoffice.review.models.cases import Case


class Passed(models.Model):
    """A case that an officer skipped: taking the next one does not bring it back that day.

    A row and no part of the session, so that signing in again brings nothing back. It is deleted
    when nothing else waits, or the case is assigned or escalated.
    """

    officer = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+"
    )
    case = models.ForeignKey(Case, on_delete=models.CASCADE, related_name="passed")
    at = models.DateTimeField()

    class Meta:
        default_permissions = ()
        constraints: ClassVar[list[Any]] = [
            models.UniqueConstraint(fields=["officer", "case"], name="passed_once")
        ]

    def __str__(self) -> str:
        return f"Case {self.case_id} by officer {self.officer_id}"
