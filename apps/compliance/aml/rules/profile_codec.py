"""A profile as rows and records hold it: one text, of whole numbers and texts. Pure."""

import json
from collections.abc import Sequence
from typing import Any

from apps.compliance.aml.rules.profile import EMPTY_PROFILE, Day, Meeting, Move, Profile, Trace


def profile_to_list(known: Profile) -> list[Any]:
    """Return a profile as it is stored: lists, whole numbers and texts, each wallet once."""
    names: dict[str, int] = {}

    def place(wallet: str) -> int:
        # wallets come last, each once: movements, traces and meetings refer to their places
        return names.setdefault(wallet, len(names))

    return [
        known.sent,
        known.received,
        known.volume,
        known.ln,
        known.ln2,
        known.first_at,
        known.last_at,
        list(known.hours),
        [[move.at, move.out, move.amount, place(move.other)] for move in known.recent],
        [[place(trace.origin), trace.hops, trace.at, trace.amount] for trace in known.traces],
        known.met,
        known.risk,
        known.risk_at,
        f"{known.known:x}",
        known.dust,
        [[day.day, *day.times, *day.volume, *day.small, *day.small_volume] for day in known.days],
        [
            [meeting.at, meeting.out, place(meeting.other), meeting.again, meeting.amount]
            for meeting in known.meetings
        ],
        f"{known.sizes:x}",
        list(names),
    ]


def profile_to_text(known: Profile) -> str:
    """Return a profile as a row and a screen's record hold it: one text."""
    return json.dumps(profile_to_list(known), separators=(",", ":"))


def parse_stored_profile(stored: Sequence[Any] | str) -> Profile:
    """Return a profile from what `profile_to_list` or `profile_to_text` made; of nothing, an empty
    one.
    """
    stored_profile: Sequence[Any] = stored
    if isinstance(stored, str):
        stored_profile = json.loads(stored) if stored else ()
    if not stored_profile:
        return EMPTY_PROFILE
    (
        *sums,
        hours,
        recent,
        traces,
        meetings_by_wallet,
        risk,
        risk_at,
        known,
        dust,
        days,
        meetings,
        sizes,
        names,
    ) = stored_profile
    fields: list[Any] = [
        # in the order of the fields of Profile: `sums` are its first seven
        *sums,
        tuple(hours),
        tuple(Move(at, out, amount, names[other]) for at, out, amount, other in recent),
        tuple(Trace(names[origin], *rest) for origin, *rest in traces),
        meetings_by_wallet,
        risk,
        risk_at,
        int(known, 16),
        dust,
        tuple(Day(day[0], *zip(day[1::2], day[2::2], strict=True)) for day in days),
        tuple(Meeting(at, out, names[other], *rest) for at, out, other, *rest in meetings),
        int(sizes, 16),
    ]
    return Profile(*fields)
