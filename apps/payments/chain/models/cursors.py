"""The progress of reading each chain."""

from django.db import models

from apps.payments.chain.models.transfers import HASH


class Cursor(models.Model):
    """A chain and the last of its blocks that was read for orders; only the watcher moves it.

    `trouble` is why the last scan did not finish. It is no ledger: its content can be read again
    from the chain.
    """

    chain = models.CharField(max_length=24, unique=True)
    block = models.PositiveBigIntegerField()
    block_hash = models.CharField(max_length=HASH)
    block_time = models.DateTimeField()
    latest = models.PositiveBigIntegerField(default=0)
    # kept between scans: a node that refuses wide ranges is not asked for them again and again
    span = models.PositiveIntegerField(default=2_000, help_text="Blocks of the next range")
    looked_at = models.DateTimeField()
    trouble = models.CharField(max_length=300, blank=True)
    troubled_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = "reading of a chain"
        default_permissions = ("view",)

    def __str__(self) -> str:
        return f"{self.chain} {self.block}"
