"""One screen whole: what was asked and answered, on what evidence, and whether it is as sealed."""

import json
import logging
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from apps.access import tenants
from apps.desk.proofs import proof
from apps.review.models import Case
from apps.review.pages.evidence import flat
from apps.screening.combined.conclude import KIND
from apps.screening.combined.picture import picture
from apps.screening.combined.replay import Purged, Replay, replay
from apps.screening.combined.told import in_words
from apps.screening.models import Screen
from apps.screening.pages.listing import DECISIONS, TITLES, TONES, rules_of
from apps.watchlists import indexes
from apps.watchlists.engine import ListsUnavailable
from apps.watchlists.sets import set_of

if TYPE_CHECKING:
    from django.contrib.auth.models import User

logger = logging.getLogger(__name__)
Rows = list[dict[str, str]]
PARTS = ("facts", "matches", "chain", "lists", "record")
BASES = {
    "LEI_VERIFIED": "by the LEI",
    "BELOW_THRESHOLD": "below the threshold of 1,000 USD",
    "NAME_ONLY": "not satisfied: a name alone",
}
NOT_INDEXED = (
    "The lists of that time are not indexed here. Ask your operator to compute screen {} anew."
)
QUALITIES = {"LIVE": "Live data", "PARTIAL": "Some inputs were missing", "SAMPLE": "Sample data"}


@dataclass(frozen=True, slots=True)
class Reason:
    """One rule that held: what it said of this screen, what it says in general, its code."""

    sentence: str
    title: str
    code: str


def context(*, screen: Screen, user: "User") -> dict[str, Any]:
    """Return what the page draws; its case only for who may see cases, of a report nothing."""
    kept = screen.data
    return {
        "screen": screen,
        "title": kept.get("request", {}).get("name") or f"Screen {screen.screen_id}",
        "tenant": tenants.name(screen.owner),
        "decision": DECISIONS.get(screen.decision, screen.decision),
        "tone": TONES.get(screen.decision, "info"),
        "reasons": _reasons(screen),
        "answered": list(_answered(kept.get("response", {}))),
        "picture": _picture(screen),
        "proof": proof(screen),
        "case": _case(screen) if user.has_perm("review.view_case") else None,
        "raw": [
            (title, json.dumps(kept[name], indent=2, ensure_ascii=False))
            for name, title in (
                ("request", "Request"),
                ("response", "Answer"),
                ("evidence", "Evidence"),
                ("versions", "Versions"),
            )
            if kept.get(name)
        ],
    }


def _reasons(screen: Screen) -> list[Reason]:
    """Return the rules that held, each with its sentence where the answer has one for each."""
    answer = screen.data.get("response", {})
    said, names = answer.get("reasons", []), answer.get("rules", [])
    if len(said) != len(names) or not names:
        return [Reason(title, title, "") for title in rules_of(screen)]
    pairs = zip(said, names, strict=True)
    return [Reason(in_words(sentence), TITLES.get(code, code), code) for sentence, code in pairs]


def _answered(response: dict[str, Any]) -> Iterator[dict[str, str]]:
    if not response:
        return
    checks = response.get("checks", {})
    r16 = response.get("attestations", {}).get("fatfR16", {})
    pep, chain = checks.get("pep", {}), checks.get("uboChain", {})
    rows = (
        ("Sanctions score", f"{checks.get('sanctions', {}).get('score', 0)} of 100"),
        ("Office holders", f"{pep.get('score') or 0} of 100" if pep.get("checked") else "not due"),
        ("Owners", f"{chain.get('screened', 0)} screened" if chain.get("checked") else "not due"),
        ("Person needed", "yes" if response.get("humanRequired") else "no"),
        ("Data", QUALITIES.get(response.get("dataQuality", ""), "")),
        ("FATF R.16", BASES.get(r16.get("basis", ""), "")),
        ("Answered in", f"{response['processingMs']} ms" if "processingMs" in response else ""),
    )
    for label, value in rows:
        if value:
            yield {"label": label, "value": str(value)}


def _picture(screen: Screen) -> dict[str, Any]:
    """Return request and evidence as a case draws them; as they are stored where they cannot be."""
    kept = screen.data
    request, evidence = kept.get("request", {}), kept.get("evidence", {})
    try:
        drawn = picture(evidence | {"versions": kept.get("versions", {}), "request": request})
    except (LookupError, TypeError, ValueError, AttributeError):
        if not screen.purged:
            logger.exception("the evidence of screen %s cannot be drawn", screen.screen_id)
        asked = {"payment": list(flat(request)), "party": [], "missing": ""}
        drawn = {"evidence": evidence, "request": asked}
    found: dict[str, Any] = {part: drawn.get(part) or [] for part in PARTS}
    others = {name: value for name, value in drawn.items() if name not in (*PARTS, "request")}
    return found | {"request": drawn["request"], "rest": list(flat(others))}


def _case(screen: Screen) -> Case | None:
    found = Case.objects.filter(kind=KIND, ref=str(screen.screen_id))
    return found.defer("evidence", "rules").first()


@dataclass(frozen=True, slots=True)
class Replayed:
    """What computing a screen anew showed: rows of what, then and now; or why it was not done."""

    agrees: bool
    rows: tuple[tuple[str, str, str, bool], ...] = ()
    notes: tuple[str, ...] = ()
    refused: str = ""


def replayed(screen: Screen) -> Replayed:
    """Compute a screen anew, against the lists of that time; it never builds their index."""
    try:
        lists = set_of(screen.data.get("versions", {}).get("lists", {}))
        built = indexes.is_built(lists.id) or indexes.is_built(lists.id, replay=True)
        if not screen.purged and not built:
            return Replayed(False, refused=NOT_INDEXED.format(screen.screen_id))
        return _told(replay(record=screen))
    except (Purged, ListsUnavailable) as error:
        return Replayed(False, refused=str(error))
    except (LookupError, TypeError, ValueError, AttributeError):
        logger.exception("screen %s cannot be computed anew", screen.screen_id)
        return Replayed(False, refused="The record cannot be computed anew.")


def _told(found: Replay) -> Replayed:
    pairs = (
        ("Decision", *(DECISIONS.get(one, one) for one in found.decision)),
        ("Risk score", *(str(one) for one in found.risk_score)),
        ("Rules", *("; ".join(TITLES.get(c, c) for c in one) or "none" for one in found.rules)),
    )
    rows = tuple((what, then, anew, then == anew) for what, then, anew in pairs)
    return Replayed(found.agrees, rows, found.notes)
