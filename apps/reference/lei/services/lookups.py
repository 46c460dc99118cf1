"""Look up an LEI's entity and owners: in our data, else by at most one call to GLEIF.

DESIGN.md section 5, LEI: if neither our data nor GLEIF knows, the answer is NOT_CHECKED. Call these
outside a transaction: with `ask` they may wait for GLEIF up to its deadline.
"""

import logging
from collections.abc import Iterable
from datetime import date, datetime, timedelta

from django.db import connection

from apps.platform.jobs import job_queue
from apps.reference.lei.clients import gleif
from apps.reference.lei.models import (
    GleifFile,
    LeiRecord,
    LeiUse,
    column_to_percent,
    excluded_source,
    parse_day,
    parse_moment,
)
from apps.reference.lei.row_macs import make_verifier
from apps.reference.lei.rules import owner_chain, registration
from apps.reference.lei.services import api_answers
from apps.reference.lei.values import HeldEntity, HeldRecords, LeiLookup, OwnerChain

logger = logging.getLogger(__name__)

IN_REQUEST_SECONDS = 1.5  # a client waits for the answer
CHAIN_ASKED_AGAIN_AFTER = timedelta(hours=24)
REMEMBERED_USES = 50_000  # LEIs, some MB of memory

# which LEIs this process has already marked today; saves a write per request
_used_leis: set[str] = set()
_used_leis_day: list[date] = []


def look_up_lei(*, lei: str, now: datetime, ask: bool = True, used: bool = True) -> LeiLookup:
    """Look up an LEI with valid check digits.

    Records on file are returned without a call to GLEIF, except those of the bundled sample and
    those past their renewal date. With `ask` false nothing leaves this host. A mere look-up is not
    `used`: the LEI is not refreshed afterwards.
    """
    if used:
        mark_lei_used(lei=lei, now=now)
    return _look_up_record(lei, LeiRecord.objects.held([lei]), now, ask=ask)


def _look_up_record(lei: str, records: HeldRecords, now: datetime, *, ask: bool) -> LeiLookup:
    # our own record, if it is neither outdated nor a sample that GLEIF could replace
    held_entity = records.get(lei)
    asking = ask and gleif.is_gleif_configured()
    # a sample record is used only without access to GLEIF
    good = held_entity is not None and not _is_outdated(held_entity, now)
    if good and held_entity is not None and not (asking and held_entity.source == "SAMPLE"):
        return LeiLookup(lei, "KNOWN", held_entity, held_entity.as_of)
    if asking:
        answered = _fetch_from_gleif(lei, now)
        if answered is not None:
            return answered
    # without an answer, the record that we have, however old: its date is part of the answer
    if held_entity is not None:
        return LeiLookup(lei, "KNOWN", held_entity, held_entity.as_of)
    if lei in records.altered:
        return LeiLookup(lei, "NOT_CHECKED")
    # answer from a whole copy that is young enough to speak for all LEIs there are
    full = GleifFile.objects.filter(kind="RECORDS", source="GLEIF_FILE", state="LIVE").first()
    if full is not None and not full.partial and full.as_of > now - registration.COPY_SPEAKS_FOR:
        return LeiLookup(lei, "UNKNOWN", as_of=full.as_of)
    return LeiLookup(lei, "NOT_CHECKED")


def judge_lei_for_name(*, lei_lookup: LeiLookup, name: str, now: datetime) -> tuple[bool, str]:
    """Return whether the LEI counts for this name, else why not (DESIGN.md section 4, LEI)."""
    return registration.judge_lei(lei_lookup, name, now)


def load_owner_chain(
    *, lei: str, now: datetime, levels: int = 3, deep: bool = False, ask: bool = True
) -> OwnerChain:
    """Return the owners of an entity in two queries, whatever the depth of the chain.

    `levels` 2 is subject and ultimate parent, 3 with the direct parent; `deep` adds what lies
    between. What is missing is a gap of the chain, and with `ask` a job completes it.
    """
    owner_statements, held_records = _load_statements_and_records(lei)
    return _build_chain(lei, owner_statements, held_records, now, levels=levels, deep=deep, ask=ask)


def look_up_with_chain(
    *, lei: str, now: datetime, levels: int = 3, deep: bool = False
) -> tuple[LeiLookup, OwnerChain | None]:
    """Return `look_up_lei` and `load_owner_chain` in two queries; no chain of an unknown entity."""
    mark_lei_used(lei=lei, now=now)
    owner_statements, held_records = _load_statements_and_records(lei)
    record = _look_up_record(lei, held_records, now, ask=True)
    if record.record is None:
        return record, None
    if record.record is not held_records.get(lei):  # GLEIF has answered since
        return record, load_owner_chain(lei=lei, now=now, levels=levels, deep=deep)
    return record, _build_chain(
        lei, owner_statements, held_records, now, levels=levels, deep=deep, ask=True
    )


def _load_statements_and_records(lei: str) -> tuple[list[owner_chain.OwnerStatement], HeldRecords]:
    """Return the statements about an entity's owners, and the records of all of them."""
    owner_statements = _load_owner_statements(lei)
    leis = {lei} | {
        owner_statement.parent for owner_statement in owner_statements if owner_statement.parent
    }
    return owner_statements, LeiRecord.objects.held(leis)


def _build_chain(
    lei: str,
    owner_statements: list[owner_chain.OwnerStatement],
    held_entities: dict[str, HeldEntity],
    now: datetime,
    *,
    levels: int,
    deep: bool,
    ask: bool,
) -> OwnerChain:
    chain = owner_chain.build_owner_chain(
        subject=lei,
        owner_statements=owner_statements,
        held_entities=held_entities,
        now=now,
        levels=levels,
        deep=deep,
    )
    missing = any(gap.reason in ("NOT_REPORTED", "NOT_CHECKED") for gap in chain.gaps)
    if missing and ask and gleif.is_gleif_configured():
        _enqueue_chain_completion(lei, now)
    return chain


def mark_lei_used(*, lei: str, now: datetime) -> None:
    """Note that an LEI is in use, at most once a day and process; `lei.refresh_in_use` reads it."""
    today = now.date()
    if _used_leis_day != [today] or len(_used_leis) > REMEMBERED_USES:
        _used_leis.clear()
        _used_leis_day[:] = [today]
    if lei in _used_leis:
        return
    LeiUse.objects.bulk_create(
        [LeiUse(lei=lei, used_on=today)],
        update_conflicts=True,
        update_fields=["used_on"],
        unique_fields=["lei"],
    )
    _used_leis.add(lei)


def mark_leis_used(*, leis: Iterable[str], now: datetime) -> None:
    """Note that LEIs are in use, in one statement."""
    # sorted, so that two processes lock the rows in one order
    rows = [LeiUse(lei=lei, used_on=now.date()) for lei in sorted(set(leis))]
    LeiUse.objects.bulk_create(
        rows, update_conflicts=True, update_fields=["used_on"], unique_fields=["lei"]
    )


def _is_outdated(held_entity: HeldEntity, now: datetime) -> bool:
    """Return whether the renewal date has passed since the record was fetched."""
    due = held_entity.entity.next_renewal
    return (
        registration.registration_status_at(held_entity.entity, now)
        != held_entity.entity.registration_status
        and due is not None
        and held_entity.fetched_at < now - timedelta(hours=24)
    )


def _fetch_from_gleif(lei: str, now: datetime) -> LeiLookup | None:
    """Ask GLEIF once; None when it did not answer."""
    # negative answers are kept, too: an LEI with a typing error would cost a call at each screen
    use = LeiUse.objects.filter(lei=lei).first()
    if use and use.missing_at and use.missing_at > now - registration.NEGATIVE_ANSWER_LASTS:
        return LeiLookup(lei, "UNKNOWN", as_of=use.missing_at)
    try:
        answer = gleif.GleifClient().record(lei=lei, deadline=IN_REQUEST_SECONDS)
    except gleif.NoAnswer as error:
        logger.warning("GLEIF lookup of %s failed: %s", lei, error)
        return None
    if answer is None:
        api_answers.note_unknown_lei(lei=lei, now=now)
        return LeiLookup(lei, "UNKNOWN", as_of=now)
    held_entity = api_answers.store_entity(answer=answer, now=now)
    _enqueue_chain_completion(lei, now)
    return LeiLookup(lei, "KNOWN", held_entity, held_entity.as_of)


def _enqueue_chain_completion(lei: str, now: datetime) -> None:
    use = LeiUse.objects.filter(lei=lei).first()
    if use and use.chain_at and use.chain_at > now - CHAIN_ASKED_AGAIN_AFTER:
        return
    job_queue.enqueue_job(job="lei.complete_chain", key=lei, now=now)


# The LEIs on the way up by parents of any kind, and everything they say of their parents. UNION
# and the depth end the walk where records form a circle.
_OWNER_STATEMENTS_SQL = """
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
SELECT r.child, r.kind, r.parent, '', COALESCE(r.as_of, live.as_of), live.source, r.share,
       r.as_of, r.proof, r.status, r.since, r.until
FROM lei_relationship r JOIN live ON live.id = r.file_id
WHERE r.child IN (SELECT lei FROM seen)
UNION ALL
SELECT e.lei, e.kind, '', e.reason, COALESCE(e.as_of, live.as_of), live.source, NULL,
       e.as_of, e.proof, '', NULL, NULL
FROM lei_reportingexception e JOIN live ON live.id = e.file_id
WHERE e.lei IN (SELECT lei FROM seen)
"""


def _load_owner_statements(lei: str) -> list[owner_chain.OwnerStatement]:
    """Return what entities say of their parents; NOT_CHECKED of what an altered row is about."""
    with connection.cursor() as cursor:
        cursor.execute(_OWNER_STATEMENTS_SQL, [excluded_source(), lei, owner_chain.MAX_DEPTH])
        rows = cursor.fetchall()
    if not rows:
        return []
    owns, exempts = make_verifier("Relationship"), make_verifier("ReportingException")
    owner_statements, altered = [], set()
    for child, kind, parent, reason, as_of, source, share, own_as_of, proof, *rest in rows:
        own = parse_moment(own_as_of) if own_as_of else None
        if parent:
            status, since, until = rest
            covered = [child, parent, kind, status, parse_day(since), parse_day(until), share, own]
            holds = owns(proof, covered, source)
        else:
            holds = exempts(proof, [child, kind, reason, own], source)
        if not holds:
            logger.error("what LEI %s says of its owners was altered", child)
            altered.add((child, kind))
        owner_statements.append(
            owner_chain.OwnerStatement(
                child,
                kind,
                parent,
                reason,
                parse_moment(as_of),
                source == "SAMPLE",
                column_to_percent(share),
            )
        )
    sound = [
        statement
        for statement in owner_statements
        if (statement.lei, statement.kind) not in altered
    ]
    return sound + [
        owner_chain.OwnerStatement(child, kind, reason=owner_chain.NOT_CHECKED)
        for child, kind in sorted(altered)
    ]
