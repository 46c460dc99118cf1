"""Who an LEI is and who owns it: from what is held, else by at most one call to GLEIF.

DESIGN.md section 5, LEI: when neither our data nor GLEIF knows, the answer is NOT_CHECKED.
Call these outside a transaction: `ask` may wait for GLEIF up to its deadline.
"""

import logging
from collections.abc import Iterable
from datetime import date, datetime, timedelta

from django.db import connection

from apps.core import jobs
from apps.lei import answers, gleif, owners, rules
from apps.lei.models import GleifFile, LeiRecord, LeiUse, moment, percent, sample_left_out
from apps.lei.values import Chain, Held, Lookup

logger = logging.getLogger(__name__)

IN_REQUEST_SECONDS = 1.5
CHAIN_ASKED_AGAIN_AFTER = timedelta(hours=24)
REMEMBERED_USES = 50_000

# which LEIs this process has already marked today; saves a write per request
_marked: set[str] = set()
_marked_on: list[date] = []


def lookup(*, lei: str, now: datetime, ask: bool = True, used: bool = True) -> Lookup:
    """Return what is known of an LEI with valid check digits.

    Held records answer without GLEIF, but for those of the bundled sample and those whose
    renewal date has passed since: they are asked for. With `ask` false nothing leaves this host.
    One that somebody only looks at is not `used`: it is not refreshed from then on.
    """
    if used:
        mark_used(lei=lei, now=now)
    return _lookup(lei, LeiRecord.objects.held([lei]).get(lei), now, ask=ask)


def _lookup(lei: str, held: Held | None, now: datetime, *, ask: bool) -> Lookup:
    asking = ask and gleif.configured()
    # a sample record serves only where nobody can be asked
    good = held is not None and not _outdated(held, now)
    if good and held is not None and not (asking and held.source == "SAMPLE"):
        return Lookup(lei, "KNOWN", held, held.as_of)
    if asking:
        answered = _ask(lei, now)
        if answered is not None:
            return answered
    if held is not None:
        return Lookup(lei, "KNOWN", held, held.as_of)
    return _without_gleif(lei, now)


def counts(*, found: Lookup, name: str, now: datetime) -> tuple[bool, str]:
    """Return whether the LEI counts for this name, else why not (DESIGN.md section 4, LEI)."""
    return rules.counts(found, name, now)


def chain(
    *, lei: str, now: datetime, levels: int = 3, deep: bool = False, ask: bool = True
) -> Chain:
    """Return the owners of an entity in two queries, whatever its depth.

    `levels` 2 is subject and ultimate parent, 3 with the direct parent; `deep` adds what lies
    between. What is missing is a gap of the chain, and with `ask` a job completes it.
    """
    said, held = _group(lei)
    return _chain(lei, said, held, now, levels=levels, deep=deep, ask=ask)


def lookup_with_chain(
    *, lei: str, now: datetime, levels: int = 3, deep: bool = False
) -> tuple[Lookup, Chain | None]:
    """Return `lookup` and `chain` in two queries; no chain of an entity that is not known."""
    mark_used(lei=lei, now=now)
    said, held = _group(lei)
    found = _lookup(lei, held.get(lei), now, ask=True)
    if found.record is None:
        return found, None
    if found.record is not held.get(lei):  # GLEIF has answered since
        return found, chain(lei=lei, now=now, levels=levels, deep=deep)
    return found, _chain(lei, said, held, now, levels=levels, deep=deep, ask=True)


def _group(lei: str) -> tuple[list[owners.Statement], dict[str, Held]]:
    """Return what is said of an entity's owners, and the records of it and of them."""
    said = _statements(lei)
    leis = {lei} | {one.parent for one in said if one.parent}
    return said, LeiRecord.objects.held(leis)


def _chain(
    lei: str,
    said: list[owners.Statement],
    held: dict[str, Held],
    now: datetime,
    *,
    levels: int,
    deep: bool,
    ask: bool,
) -> Chain:
    found = owners.build_chain(subject=lei, said=said, held=held, now=now, levels=levels, deep=deep)
    missing = any(gap.reason in ("NOT_REPORTED", "NOT_CHECKED") for gap in found.gaps)
    if missing and ask and gleif.configured():
        _complete_later(lei, now)
    return found


def mark_used(*, lei: str, now: datetime) -> None:
    """Note that an LEI is in use, at most once a day and process; `lei.refresh_in_use` reads it."""
    today = now.date()
    if _marked_on != [today] or len(_marked) > REMEMBERED_USES:
        _marked.clear()
        _marked_on[:] = [today]
    if lei in _marked:
        return
    LeiUse.objects.bulk_create(
        [LeiUse(lei=lei, used_on=today)],
        update_conflicts=True,
        update_fields=["used_on"],
        unique_fields=["lei"],
    )
    _marked.add(lei)


def mark_all_used(*, leis: Iterable[str], now: datetime) -> None:
    """Note that LEIs are in use, in one statement."""
    rows = [LeiUse(lei=lei, used_on=now.date()) for lei in sorted(set(leis))]
    LeiUse.objects.bulk_create(
        rows, update_conflicts=True, update_fields=["used_on"], unique_fields=["lei"]
    )


def _outdated(held: Held, now: datetime) -> bool:
    """Tell whether the renewal date has passed since the record was fetched."""
    due = held.entity.next_renewal
    return (
        rules.status_at(held.entity, now) != held.entity.registration_status
        and due is not None
        and held.fetched_at < now - timedelta(hours=24)
    )


def _ask(lei: str, now: datetime) -> Lookup | None:
    """Ask GLEIF once; None when it did not answer."""
    use = LeiUse.objects.filter(lei=lei).first()
    if use and use.missing_at and use.missing_at > now - rules.NEGATIVE_ANSWER_LASTS:
        return Lookup(lei, "UNKNOWN", as_of=use.missing_at)
    try:
        answer = gleif.Gleif().record(lei=lei, deadline=IN_REQUEST_SECONDS)
    except gleif.NoAnswer as error:
        logger.warning("GLEIF could not be asked for %s: %s", lei, error)
        return None
    if answer is None:
        answers.missing(lei=lei, now=now)
        return Lookup(lei, "UNKNOWN", as_of=now)
    held = answers.remember(answer=answer, now=now)
    _complete_later(lei, now)
    return Lookup(lei, "KNOWN", held, held.as_of)


def _without_gleif(lei: str, now: datetime) -> Lookup:
    """Answer from a whole copy that is young enough to speak for all LEIs there are."""
    full = GleifFile.objects.filter(kind="RECORDS", source="GLEIF_FILE", state="LIVE").first()
    if full is not None and not full.partial and full.as_of > now - rules.COPY_SPEAKS_FOR:
        return Lookup(lei, "UNKNOWN", as_of=full.as_of)
    return Lookup(lei, "NOT_CHECKED")


def _complete_later(lei: str, now: datetime) -> None:
    use = LeiUse.objects.filter(lei=lei).first()
    if use and use.chain_at and use.chain_at > now - CHAIN_ASKED_AGAIN_AFTER:
        return
    jobs.enqueue(job="lei.complete_chain", key=lei, now=now)


# The LEIs on the way up by parents of any kind, and everything they say of their parents. UNION
# and the depth end the walk where records form a circle.
_SQL = """
WITH RECURSIVE live AS (
    SELECT id, as_of, source FROM lei_gleiffile WHERE state = 'LIVE' AND source <> %s
), up (lei, depth) AS (
    SELECT CAST(%s AS varchar(20)), 0
    UNION
    SELECT r.parent, up.depth + 1
    FROM up
    JOIN lei_relationship r ON r.child = up.lei
    JOIN live ON live.id = r.file_id
    WHERE up.depth < %s
), seen AS (SELECT DISTINCT lei FROM up)
SELECT r.child, r.kind, r.parent, '', COALESCE(r.as_of, live.as_of), live.source, r.share
FROM lei_relationship r JOIN live ON live.id = r.file_id
WHERE r.child IN (SELECT lei FROM seen)
UNION ALL
SELECT e.lei, e.kind, '', e.reason, COALESCE(e.as_of, live.as_of), live.source, NULL
FROM lei_reportingexception e JOIN live ON live.id = e.file_id
WHERE e.lei IN (SELECT lei FROM seen)
"""


def _statements(lei: str) -> list[owners.Statement]:
    with connection.cursor() as cursor:
        cursor.execute(_SQL, [sample_left_out(), lei, owners.MAX_DEPTH])
        return [
            owners.Statement(
                child, kind, parent, reason, moment(as_of), source == "SAMPLE", percent(share)
            )
            for child, kind, parent, reason, as_of, source, share in cursor.fetchall()
        ]
