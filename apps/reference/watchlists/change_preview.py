"""Preview the effect of a source's change, in words and numbers, before two people make it.

The effect on screens is not predicted here but computed by the very functions that judge a set of
lists (`live_list_sets.judge_freshness`), with the changed source.
"""

import copy
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any
from urllib.parse import urlsplit

from django.db.models import Q

from apps.backoffice.review.models import Case
from apps.backoffice.review.rules.case_keys import build_party_key
from apps.platform.common.counts import format_count
from apps.platform.jobs.models import Periodic
from apps.reference.watchlists.choices import REFRESH
from apps.reference.watchlists.live_list_sets import (
    Freshness,
    ListSet,
    Screened,
    build_live_source,
    judge_freshness,
    load_current_set,
)
from apps.reference.watchlists.models import EntityState, Source, SourceChange

Field = SourceChange.Field
MOST_COMPARED = 100_000  # parties of all lists; above, a page would wait too long for a number
REFUSED: dict[Screened, tuple[str, str]] = {
    "sanction": ("every screen and every ownership report would be refused",
                 "every screen and every ownership report stays refused, as today"),
    "pep": ("every PEP report would be refused, and screens that ask for PEP would be "
            "flagged as not checked",
            "every PEP report stays refused, as today"),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class ChangePreview:
    """The effects of a change in sentences; a `grave` one reduces protection."""

    sentences: tuple[str, ...]
    grave: bool = False


def preview_proposal(*, change: SourceChange | None, now: datetime) -> ChangePreview | None:
    """Return the effects of a waiting proposal; None for a decided one or without one.

    Agreements made at a shell, with the files, never wait.
    """
    if change is None or change.state != SourceChange.State.PROPOSED:
        return None
    # a column of JSON cannot hold null: an empty text stands for it (services/source_changes.py)
    after = None if change.after == "" else change.after
    return preview_change(source=change.source, field=change.field, after=after, now=now)


def preview_change(*, source: Source, field: str, after: Any, now: datetime) -> ChangePreview:
    """Return the effects of another value for a field of a source, in the field's own type."""
    # a copy, so that no later save stores a value that nobody has approved
    then = copy.copy(source)
    setattr(then, field, after)
    if field == Field.URLS:
        return ChangePreview(
            tuple(_describe_new_addresses(source, [str(url) for url in after])), grave=True
        )
    if field == Field.FLOOR:
        percent = int(after)
        share = "more" if percent < source.minimum_percent else "less"
        floor = [
            *_describe_floor_guard(source, percent),
            f"Today the share is {source.minimum_percent} %. "
            f"After approval {share} of the list could be lost unnoticed.",
        ]
        return ChangePreview(tuple(floor), grave=int(after) < source.minimum_percent)
    field_change = list(_describe_field_change(source, then, field, now))
    answers = _describe_answers(
        before=load_current_set(), after=load_current_set(instead=then), now=now
    )
    if not answers and field == Field.ENABLED and not then.enabled and source.live:
        answers = ["Screens would continue without it, and no answer would say so."]
    off = source.enabled and not then.enabled
    excused = source.required and not then.required
    limit, longer = source.max_age_hours, then.max_age_hours
    return ChangePreview(
        (*field_change, *answers),
        grave=off or excused or (limit is not None and (longer is None or longer > limit)),
    )


def _describe_field_change(source: Source, then: Source, field: str, now: datetime) -> list[str]:
    if field == Field.ENABLED:
        return (
            _describe_switching_off(source) if not then.enabled else _describe_switching_on(source)
        )
    if field == Field.MAX_AGE:
        before, after = build_live_source(source), build_live_source(then)
        sentences = [
            f"After approval the list is current {_format_limit(after.max_age())}. "
            f"Today it is current {_format_limit(before.max_age())}."
        ]
        if known := before.known_at():
            sentences.append(f"Its current version is of {known:%d %b %Y %H:%M} UTC.")
        old, new = before.why_not(now), after.why_not(now)
        if source.live_id is None:
            sentences.append("No version of it is loaded, so it is not part of any screen today.")
        elif bool(old) != bool(new):
            sentences.append(
                "It would be too old immediately."
                if new
                else "It would count as current immediately."
            )
        return sentences
    yes = bool(then.required)
    return [
        "Nothing would be screened without a current version of it."
        if yes
        else "Screens would continue, flagged, while it is missing or too old."
    ]


# --- switched off and on ----------------------------------------------------------------


def _describe_switching_off(source: Source) -> list[str]:
    live = source.live
    if live is None:
        return ["No version of it is loaded: no screen would change."]
    names = live.counts.get("names") if isinstance(live.counts, dict) else None
    named = f" with {format_count(names, 'name')}" if names else ""
    return [
        f"{format_count(live.total, 'listed party', 'listed parties')}{named} would no longer be "
        "screened.",
        _describe_overlap(source),
        _describe_flagged_parties(source),
    ]


def _describe_switching_on(source: Source) -> list[str]:
    if source.live is None:
        return ["No version of it is loaded: it would count as missing until it is refreshed."]
    parties = format_count(source.live.total, "listed party", "listed parties")
    return [f"{parties} would be screened from then on, once the index is rebuilt."]


def _describe_overlap(source: Source) -> str:
    """Say how many of its parties have no name on another list that is screened."""
    others = [
        live_source
        for live_source in load_current_set().sources
        if live_source.slug != source.slug and live_source.topics
    ]
    live = source.live
    if live is None:
        return ""
    totals = Source.objects.filter(pk__in=[other.pk for other in others]).values_list("live__total")
    if live.total + sum(total or 0 for (total,) in totals) > MOST_COMPARED:
        return "How many of them are on no other list is not counted: the lists are too long."
    alone = count_parties_only_on(
        (source.pk, live.sequence), tuple((other.pk, other.sequence) for other in others)
    )
    if not others:
        return "No other list is screened: none of them would be on a screened list."
    return f"{alone:,} of them have no name on another list that is screened."


@lru_cache(maxsize=64)  # a version of a list never changes
def count_parties_only_on(ours: tuple[int, int], others: tuple[tuple[int, int], ...]) -> int:
    """Count the parties of a list's version that have no name on the other versions.

    Versions are `(id of the source, sequence)`. Names are compared folded, words in any order: a
    count of what is surely the same, not of what a screen would find similar.
    """
    known = {key for version in others for keys in _party_name_keys(*version) for key in keys}
    return sum(known.isdisjoint(keys) for keys in _party_name_keys(*ours))


def _party_name_keys(source_id: int, sequence: int) -> list[set[str]]:
    states = EntityState.objects.at(source_id=source_id, sequence=sequence)
    rows = states.values_list("data__names", flat=True).iterator(chunk_size=2000)
    return [{build_party_key(name["full"]) for name in names or ()} for names in rows]


def _describe_flagged_parties(source: Source) -> str:
    """Say how many screened parties it flagged; blocked ones may not be disclosed here."""
    slug = source.slug
    # a key lists the parties of a case as `list:id list:id` (case_keys.build_entity_key)
    named = Q(entity_key__startswith=f"{slug}:") | Q(entity_key__contains=f" {slug}:")
    # what is blocked opens no case, but an entry of the SAR log, whose existence is confidential
    cases = Case.objects.filter(named)
    parties = cases.values("party_key").distinct().count()
    if not parties:
        return "No screened party has been flagged for it so far."
    return (
        f"{format_count(parties, 'screened party', 'screened parties')} so far were flagged for it."
    )


# --- addresses, age, floor ---------------------------------------------------------------


def _describe_new_addresses(source: Source, urls: list[str]) -> list[str]:
    old, new = _format_hosts(source.urls), _format_hosts(urls)
    if old == new:
        text = f"It would be downloaded from the same host, {new}."
    elif old:
        text = f"It would be downloaded from {new}, no longer from {old}."
    else:
        text = f"It would be downloaded from {new}. Today it has no address."
    schedule = Periodic.objects.filter(pk=REFRESH).first()
    takes = "The next refresh takes the files there as the list"
    if schedule and schedule.enabled:
        takes += f", on {schedule.next_at:%d %b %Y %H:%M} UTC or when an operator starts it."
    else:
        takes += ". Scheduled refreshes are off: an operator must start it."
    return [text, takes, *_describe_floor_guard(source, source.minimum_percent)]


def _format_hosts(urls: list[str]) -> str:
    return ", ".join(dict.fromkeys(urlsplit(url).netloc or url for url in urls))


def _describe_floor_guard(source: Source, percent: int) -> list[str]:
    live = source.live
    if live is None:
        return ["No version is live to compare it with: any version goes live."]
    # rounded up: the guard refuses a total whose share is below the floor (import_guard.py)
    least = -(-live.total * percent // 100)
    return [
        f"Files with fewer than {least:,} parties ({percent} % of the live {live.total:,}) would "
        "be refused, and the live version would stay."
    ]


def _format_limit(limit: timedelta | None) -> str:
    return (
        f"until it is {int(limit.total_seconds() // 3600):,} hours old" if limit else "at any age"
    )


# --- what screens would answer -----------------------------------------------------------


def _describe_answers(*, before: ListSet, after: ListSet, now: datetime) -> list[str]:
    topics: tuple[Screened, ...] = ("sanction", "pep")
    answers = []
    for topic in topics:
        was, will = (
            judge_freshness(lists=list_set, topic=topic, now=now) for list_set in (before, after)
        )
        if words := _describe_topic_answer(topic, was, will):
            answers.append(words)
    return answers


def _describe_topic_answer(topic: Screened, was: Freshness, will: Freshness) -> str:
    changed = (was.state, was.detail) != (will.state, will.detail)
    if will.state != "fresh":
        first, still = REFUSED[topic]
        words = first if was.state == "fresh" else still
        return f"{words[0].upper()}{words[1:]}: {will.detail}" if changed else ""
    if was.state != "fresh":
        return f"Requests refused today would be answered again ({was.detail})"
    more = [why for why in will.lacking if why not in was.lacking]
    less = [why for why in was.lacking if why not in will.lacking]
    if more:
        return f"Every screen would be flagged: {' '.join(more)}"
    return f"Screens would no longer be flagged for this: {' '.join(less)}" if less else ""
