"""Find ledger records by a digest: of their link, or the hash of their payload."""

from datetime import datetime
from typing import TYPE_CHECKING

from django.db.models import Q
from django.urls import NoReverseMatch, reverse

from apps.platform.desk.search import SearchGroup, SearchHit
from apps.platform.ledger.models import LedgerHead, Seal
from apps.platform.ledger.records import LedgerRecord, ledger_models

if TYPE_CHECKING:
    from django.contrib.auth.models import User

DIGITS = 64  # hexadecimal digits of a SHA-256
HEXADECIMAL = frozenset("0123456789abcdef")


def search_by_digest(user: "User", text: str, now: datetime) -> SearchGroup | None:
    """Find the sealed record of a digest in the ledgers that a reader may see."""
    digest = parse_digest(text)
    seen = {
        name: model
        for name, model in ledger_models().items()
        if user.has_perm(f"{model._meta.app_label}.view_{model._meta.model_name}")
    }
    if not (digest and seen):
        return None
    seals = find_seals_of_digest(digest, list(seen))
    hits = [
        SearchHit(
            f"{seal.ledger} no. {seal.position}",
            f"sealed {seal.sealed_at:%d %b %Y %H:%M} UTC",
            _record_url(seen[seal.ledger], seal.record_id),
            exact=True,
            record=f"{seal.ledger}:{seal.record_id}",
        )
        for seal in seals
    ]
    return SearchGroup("Records by digest", "core.ledgerhead", hits)


def parse_digest(text: str) -> str:
    """Return the SHA-256 in a text, in lower case, or an empty text."""
    digest = text.lower()
    return digest if len(digest) == DIGITS and set(digest) <= HEXADECIMAL else ""


def find_seals_of_digest(digest: str, names: list[str]) -> list[Seal]:
    """Return the seals of a digest; a link's own digest is in the next link, or in the head."""
    # a link's digest has no index of its own, but is `previous` of the next link, which has one
    seals = Seal.objects.filter(ledger__in=names)
    # by the hash of a payload, by the digest that the next link repeats, or by the end of a chain
    known = list(seals.filter(Q(previous=digest) | Q(content=digest)).order_by("pk"))
    places = Q(pk__in=[seal.pk for seal in known if seal.content == digest])
    for seal in known:
        if seal.previous == digest:
            places |= Q(ledger=seal.ledger, position=seal.position - 1)
    for head in LedgerHead.objects.filter(ledger__in=names, digest=digest):
        places |= Q(ledger=head.ledger, position=head.position)
    return list(seals.filter(places).order_by("ledger", "position")[:5])


def _record_url(model: type[LedgerRecord], number: int) -> str:
    """Return the record's own page where it has one, else the ledgers'."""
    meta = model._meta
    try:
        return reverse(f"admin:{meta.app_label}_{meta.model_name}_change", args=[number])
    except NoReverseMatch:
        return reverse("admin:core_ledgerhead_changelist")
