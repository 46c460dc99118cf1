"""Parties that were screened or registered, kept so that later list entries are matched too."""

import unicodedata

from django.db import models

from apps.platform.crypto.canonical import canonical_digest

LONGEST_NAME = 500


def fold_name_keys(name: str) -> str:
    """Return the words of a name in small letters, sorted: it is one party in any order."""
    words = unicodedata.normalize("NFKC", name).casefold().split()
    return " ".join(sorted(words))[:LONGEST_NAME]


class PartyKind(models.TextChoices):
    """How we came across a party."""

    SCREENED = "screened", "Screened"
    OWNER = "owner", "Owner of a screened party"
    REGISTERED = "registered", "Registered"


class Party(models.Model):
    """A party that was screened or registered, to be screened against new list entries.

    `known` has its other attributes for a look-up: `lei`, `wallet`, `address`, and `identifiers` as
    rows of `kind`, `value`, `country`. It is removed with the party's last record (`leave`).
    """

    digest = models.CharField(max_length=64, unique=True)
    kind = models.CharField(max_length=12, choices=PartyKind.choices)
    schema = models.CharField(max_length=20)
    reference = models.CharField(max_length=200, blank=True, help_text="Where it was last screened")
    name = models.CharField(max_length=500)
    country = models.CharField(max_length=2, blank=True)
    birth_date = models.CharField(max_length=10, blank=True)
    keys = models.CharField(max_length=500, help_text="Normalised tokens, sorted")
    owner = models.CharField(max_length=80, blank=True, help_text="The client, as `account:7`")
    known = models.JSONField(default=dict, blank=True, editable=False)
    first_seen = models.DateTimeField()
    last_seen = models.DateTimeField()

    class Meta:
        verbose_name_plural = "parties"
        indexes = (
            models.Index(fields=("first_seen",), name="party_first_seen"),
            models.Index(fields=("reference",), name="party_reference"),
        )

    def __str__(self) -> str:
        return self.name

    def digest_of_columns(self) -> str:
        """Return by what it is one party: kind, type, name, country, birth date, whose it is."""
        whose = [self.owner, self.known] if self.owner or self.known else []
        return canonical_digest(
            [self.kind, self.schema, self.keys, self.country, self.birth_date, *whose]
        )

    @property
    def keys_fit(self) -> bool:
        """Whether the keys are those of the name; one that was cut has those of the whole one."""
        return len(self.name) == LONGEST_NAME or self.keys == fold_name_keys(self.name)
