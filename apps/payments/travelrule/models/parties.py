"""The search index of records: parties as keyed digests, from which no name can be read."""

from typing import Any, ClassVar

from django.db import models


class Party(models.Model):
    """An originator or a beneficiary as messages name it: the same names and accounts are one."""

    token = models.CharField(max_length=64, unique=True)

    class Meta:
        default_permissions = ()
        verbose_name_plural = "parties"

    def __str__(self) -> str:
        return f"party {self.pk}"


class PartyToken(models.Model):
    """A word of a party's names, or one of its accounts, as a keyed digest (macs.keyed_digest)."""

    party = models.ForeignKey(Party, on_delete=models.CASCADE, related_name="tokens")
    token = models.CharField(max_length=64)

    class Meta:
        default_permissions = ()
        constraints: ClassVar[list[Any]] = [
            models.UniqueConstraint(fields=["token", "party"], name="tr_token_once")
        ]

    def __str__(self) -> str:
        return f"token of party {self.party_id}"
