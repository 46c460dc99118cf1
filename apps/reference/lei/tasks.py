"""Background work on LEIs: complete an ownership chain, refresh the LEIs in use."""

import logging
from datetime import datetime, timedelta
from time import monotonic

from django.db.models import F

from apps.platform.common.batches import iter_chunks
from apps.platform.jobs import job_queue
from apps.reference.lei.clients import gleif
from apps.reference.lei.models import LeiRecord, LeiUse
from apps.reference.lei.services import api_answers
from apps.reference.lei.values import Ownership

logger = logging.getLogger(__name__)

IN_USE_FOR = timedelta(days=365)
REFRESHED_EVERY = timedelta(hours=20)  # less than the job's day, so that no LEI misses a turn
# GLEIF allows about 60 calls a minute: 20 calls of 100, then a pause
SLICE = 20 * gleif.LEIS_A_CALL
PAUSE = timedelta(seconds=60)
# a slice that a slow GLEIF stretches ends here and goes on later: others wait for this worker
BUDGET_SECONDS = 180.0
CHAIN_FRESH = timedelta(hours=24)


def complete_chain(key: str, now: datetime) -> None:
    """Fetch an entity and its parents from GLEIF, and plan the same for each; `key` is the LEI.

    Three calls at most, each with its deadline.
    """
    if not gleif.is_gleif_configured():
        return
    client = gleif.GleifClient()
    answer = client.record(lei=key)
    if answer is None:
        api_answers.note_unknown_lei(lei=key, now=now)
        return
    api_answers.store_entity(answer=answer, now=now)
    owner_statements = client.owners(answer=answer)
    api_answers.store_owner_statements(
        lei=key,
        statements=owner_statements.statements,
        published=owner_statements.published,
        now=now,
    )
    parents = {
        statement.parent
        for statement in owner_statements.statements
        if isinstance(statement, Ownership)
    }
    # a parent that was fetched within a day is not fetched again, which also ends circles
    fresh = set(
        LeiUse.objects.filter(lei__in=parents, chain_at__gt=now - CHAIN_FRESH).values_list(
            "lei", flat=True
        )
    )
    for parent in sorted(parents - fresh):
        job_queue.enqueue_job(job="lei.complete_chain", key=parent, now=now)


def refresh_in_use(key: str, now: datetime) -> None:
    """Refresh the LEIs in use whose record is a day old from GLEIF, in slices of 2,000."""
    if not gleif.is_gleif_configured():
        return
    used = LeiUse.objects.filter(used_on__gte=(now - IN_USE_FOR).date())
    # F ordering: those never asked come first on both databases
    due = used.exclude(refreshed_at__gt=now - REFRESHED_EVERY).order_by(
        F("refreshed_at").asc(nulls_first=True), "lei"
    )
    # one more than a slice shows whether another slice follows
    leis = list(due.values_list("lei", flat=True)[: SLICE + 1])
    client, ends = gleif.GleifClient(), monotonic() + BUDGET_SECONDS
    for chunk in iter_chunks(leis[:SLICE], gleif.LEIS_A_CALL):
        if monotonic() > ends:
            raise job_queue.RetryLater(now + timedelta(seconds=BUDGET_SECONDS) + PAUSE)
        entity_answers_by_lei = {answer.entity.lei: answer for answer in client.records(leis=chunk)}
        for lei in chunk:
            if lei in entity_answers_by_lei:
                api_answers.store_entity(answer=entity_answers_by_lei[lei], now=now)
            else:
                # the stored record stays, with its date: screens state how old it is
                if LeiRecord.objects.filter(lei=lei, file__state="LIVE").exists():
                    logger.warning("LEI %s is on record, but GLEIF did not return it", lei)
                api_answers.note_unknown_lei(lei=lei, now=now)
    if len(leis) > SLICE:
        raise job_queue.RetryLater(now + PAUSE)
