"""Combined screens: an append-only, sealed record of each."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any, ClassVar, Self

from django.db import models

from apps.backoffice.review.rules.case_keys import build_party_key
from apps.backoffice.sar.models import SarEntry, list_blocked_entries
from apps.platform.crypto import macs
from apps.platform.crypto.canonical import canonical_digest
from apps.platform.db.compiled_statements import insert_rows
from apps.platform.ledger.records import LedgerRecord
from apps.reference.watchlists.matching.identifiers import normalize_identifier
from apps.reference.watchlists.services.screened_parties import forget_parties

DECIDED = models.Q(decision__in=["FLAGGED", "BLOCKED"])


class ScreenQuerySet(models.QuerySet["Screen"]):
    def of(self, owner: str) -> Self:
        """Return the screens of one tenant or payer only."""
        return self.filter(owner=owner)

    def referred(self, *, owner: str, reference: str) -> Self:
        """Return the screens of an owner's reference."""
        key = Screen.key_of(owner=owner, reference=reference)
        return self.filter(owner=owner, reference_key=key)


class Screen(LedgerRecord):
    """One combined screen: the envelope says what was decided, the payload for whom and why.

    Payload: `request`, `response` (as given), `evidence` (matches, chain, rates, labels),
    `versions` (lists, rules, matcher).
    """

    LEDGER: ClassVar[str] = "screens"
    YEARS: ClassVar[int] = 10  # OFAC: 31 CFR 501.601, ten years since March 2025

    screen_id = models.UUIDField(unique=True)
    owner = models.CharField(max_length=80)
    decision = models.CharField(max_length=8)
    risk_score = models.PositiveSmallIntegerField()
    rules = models.CharField(max_length=500, blank=True)
    rules_version = models.CharField(max_length=20)
    lists = models.CharField(max_length=32)
    # null where the caller gave none
    reference_key = models.CharField(max_length=64, null=True, editable=False)
    sample = models.BooleanField()

    objects = ScreenQuerySet.as_manager()

    class Meta:
        ordering: ClassVar[list[str]] = ["-pk"]
        default_permissions = ("view",)
        indexes: ClassVar[list[Any]] = [
            models.Index(fields=["owner", "-id"], name="screen_owner"),
            models.Index(fields=["owner", "reference_key", "-id"], name="screen_reference"),
            models.Index(fields=["owner", "recorded_at"], name="screen_time"),
            models.Index(fields=["recorded_at"], name="screen_day"),
            # filters of the desk's list that match few rows; rules: models/joined_rule_names.py
            models.Index(fields=["decision", "-id"], condition=DECIDED, name="screen_decided"),
            models.Index(
                fields=["owner", "decision", "-id"], condition=DECIDED, name="screen_owner_decided"
            ),
            models.Index(fields=["sample", "-id"], name="screen_sample"),
        ]
        constraints: ClassVar[list[Any]] = [
            models.CheckConstraint(
                condition=models.Q(decision__in=["APPROVED", "FLAGGED", "BLOCKED"]),
                name="screen_decision_known",
            )
        ]

    def __str__(self) -> str:
        return f"{self.screen_id} {self.decision}"

    @classmethod
    def write(cls, *, payload: dict[str, Any], now: datetime, **columns: Any) -> Any:
        """Append one screen, and what it is found by."""
        record = super().write(payload=payload, now=now, **columns)
        keys = sorted(keys_of_request(payload.get("request", {})))
        insert_rows([FindKey(screen=record, key=key) for key in keys])
        return record

    def forget(self, *, now: datetime) -> None:
        FindKey.objects.filter(screen=self).delete()
        forget_parties(reference=f"screen:{self.screen_id}")

    @staticmethod
    def key_of(*, owner: str, reference: str) -> str | None:
        """Return what a caller's reference is found by; a digest: it may name a person."""
        return canonical_digest([owner, reference]) if reference else None

    @classmethod
    def spared(cls, *, before: datetime) -> models.Q:
        # the payload of a screen whose property is still blocked stays (31 CFR 501.601)
        entries = SarEntry.objects.filter(kind="screen", pk__in=list_blocked_entries(before=before))
        return models.Q(screen_id__in=list(entries.values_list("ref", flat=True)))


class FindKey(models.Model):
    """Search keys of a screen for officers: keyed digests of its parties, made from its payload.

    A name, wallet or LEI cannot be read from it, nor tried against it without LEDGER_KEYS. It
    leaves with the payload.
    """

    # no constraint: PostgreSQL may hold screens in monthly partitions, which no key can refer to
    screen = models.ForeignKey(
        Screen, on_delete=models.DO_NOTHING, related_name="+", db_constraint=False
    )
    key = models.CharField(max_length=64)

    class Meta:
        default_permissions = ()
        constraints: ClassVar[list[Any]] = [
            models.UniqueConstraint(fields=["key", "screen"], name="findkey_once")
        ]

    def __str__(self) -> str:
        return f"{self.screen_id}"


def keys_of_request(request: dict[str, Any]) -> set[str]:
    """Return the keys of a screen's request: of each name, its wallets and its LEI."""
    numbers = [
        (identifier["type"], identifier["value"]) for identifier in request.get("identifiers", ())
    ]
    values = [
        *(("name", name) for name in (request.get("name"), *request.get("aliases", ()))),
        ("wallet", request.get("walletAddress")),
        ("lei", request.get("lei")),
        *((kind, value) for kind, value in numbers if kind in ("wallet", "lei")),
    ]
    return {key for kind, value in values if value for key in _keyed_digests(kind, value)}


def keys_of_search_text(text: str) -> set[str]:
    """Return the keys that a text may be: a whole name in any order, a wallet or an LEI."""
    return {key for kind in ("name", "wallet", "lei") for key in _keyed_digests(kind, text)}


def _keyed_digests(kind: str, value: str) -> Iterator[str]:
    """Yield the key of a value in its one form; of what has no letter or digit there is none."""
    party_key = (
        build_party_key(value) if kind == "name" else normalize_identifier(kind=kind, value=value)
    )
    if party_key:
        yield macs.keyed_digest(what="search key of a screen", of=(kind, party_key))
