"""The state of each upstream, shared by all processes, so that a breaker opens once for all."""

from django.db import models


class UpstreamState(models.Model):
    """The breaker of one upstream, and when it last answered."""

    name = models.CharField(max_length=60, primary_key=True)
    failures = models.PositiveIntegerField(default=0)
    open_until = models.DateTimeField(null=True, blank=True)
    last_ok_at = models.DateTimeField(null=True, blank=True)
    last_error_at = models.DateTimeField(null=True, blank=True)
    last_error = models.CharField(max_length=300, blank=True)

    class Meta:
        verbose_name = "upstream"

    def __str__(self) -> str:
        return self.name
