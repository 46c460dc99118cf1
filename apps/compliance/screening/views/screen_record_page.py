"""The page of one screen: request, answer, evidence, and whether the record is unaltered."""

import json
import logging
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from apps.access.keys import tenant_names
from apps.backoffice.review.models import Case
from apps.backoffice.review.views.evidence import flatten_values
from apps.compliance.screening.combined.cases import KIND
from apps.compliance.screening.combined.evidence_view import build_evidence_view
from apps.compliance.screening.combined.officer_wording import format_for_officers
from apps.compliance.screening.combined.party_evidence_views import PARTS
from apps.compliance.screening.combined.replay import ScreenPurged, replay_screen
from apps.compliance.screening.models import Screen
from apps.compliance.screening.views.screen_list import DECISIONS, TITLES, TONES, describe_rules
from apps.platform.desk.record_verification import verify_record
from apps.reference.watchlists import indexes
from apps.reference.watchlists.engine import ListsUnavailable
from apps.reference.watchlists.live_list_sets import load_set_of_versions

if TYPE_CHECKING:
    from django.contrib.auth.models import User

logger = logging.getLogger(__name__)
Rows = list[dict[str, str]]
BASES = {
    "LEI_VERIFIED": "by the LEI",
    "BELOW_THRESHOLD": "below the threshold of 1,000 USD",
    "NAME_ONLY": "not satisfied: only a name",
}
NOT_INDEXED = (
    "The lists of that time are not indexed here. Ask your operator to recompute screen {}."
)
QUALITIES = {"LIVE": "Live data", "PARTIAL": "Some inputs were missing", "SAMPLE": "Sample data"}


@dataclass(frozen=True, slots=True)
class RuleReason:
    """One rule that held: its sentence for this screen, its general title, and its code."""

    sentence: str
    title: str
    code: str


def build_screen_context(*, screen: Screen, user: "User") -> dict[str, Any]:
    """Return the context of the page: its case only for who may see cases, never a SAR entry."""
    data = screen.data
    return {
        "screen": screen,
        "title": data.get("request", {}).get("name") or f"Screen {screen.screen_id}",
        "tenant": tenant_names.load_tenant_name(screen.owner),
        "decision": DECISIONS.get(screen.decision, screen.decision),
        "tone": TONES.get(screen.decision, "info"),
        "reasons": _list_reasons(screen),
        "answered": list(_answer_rows(data.get("response", {}))),
        "picture": _evidence_sections(screen),
        "proof": verify_record(screen),
        "case": _find_case(screen) if user.has_perm("review.view_case") else None,
        "raw": [
            (title, json.dumps(data[name], indent=2, ensure_ascii=False))
            for name, title in (
                ("request", "Request"),
                ("response", "Answer"),
                ("evidence", "Evidence"),
                ("versions", "Versions"),
            )
            if data.get(name)
        ],
    }


def _list_reasons(screen: Screen) -> list[RuleReason]:
    """Return the rules that held, each with its sentence where the answer has one for each."""
    answer = screen.data.get("response", {})
    reasons, names = answer.get("reasons", []), answer.get("rules", [])
    # a purged payload has neither; the envelope still names the rules
    if len(reasons) != len(names) or not names:
        return [RuleReason(title, title, "") for title in describe_rules(screen)]
    pairs = zip(reasons, names, strict=True)
    return [
        RuleReason(format_for_officers(sentence), TITLES.get(code, code), code)
        for sentence, code in pairs
    ]


def _answer_rows(response: dict[str, Any]) -> Iterator[dict[str, str]]:
    if not response:
        return
    checks = response.get("checks", {})
    r16 = response.get("attestations", {}).get("fatfR16", {})
    pep, chain = checks.get("pep", {}), checks.get("uboChain", {})
    # "not checked" for a check that was not due and for one that could not run: of the second kind
    # there is a rule among the reasons
    rows = (
        ("Sanctions score", f"{checks.get('sanctions', {}).get('score', 0)} of 100"),
        ("PEPs", f"{pep.get('score') or 0} of 100" if pep.get("checked") else "not checked"),
        (
            "Owners",
            f"{chain.get('screened', 0)} screened" if chain.get("checked") else "not checked",
        ),
        ("Review required", "yes" if response.get("humanRequired") else "no"),
        ("Data", QUALITIES.get(response.get("dataQuality", ""), "")),
        ("FATF R.16", BASES.get(r16.get("basis", ""), "")),
        ("Response time", f"{response['processingMs']} ms" if "processingMs" in response else ""),
    )
    for label, value in rows:
        if value:
            yield {"label": label, "value": str(value)}


def _evidence_sections(screen: Screen) -> dict[str, Any]:
    """Return request and evidence as on a case page; as they are stored if that fails."""
    data = screen.data
    request, evidence = data.get("request", {}), data.get("evidence", {})
    try:
        drawn = build_evidence_view(
            evidence | {"versions": data.get("versions", {}), "request": request}
        )
    except (LookupError, TypeError, ValueError, AttributeError):
        if not screen.purged:
            logger.exception("the evidence of screen %s cannot be shown", screen.screen_id)
        request_parts = {"payment": list(flatten_values(request)), "party": [], "missing": ""}
        drawn = {"evidence": evidence, "request": request_parts}
    parts: dict[str, Any] = {part: drawn.get(part) or [] for part in PARTS}
    others = {name: value for name, value in drawn.items() if name not in (*PARTS, "request")}
    return parts | {"request": drawn["request"], "rest": list(flatten_values(others))}


def _find_case(screen: Screen) -> Case | None:
    cases = Case.objects.filter(kind=KIND, ref=str(screen.screen_id))
    return cases.defer("evidence", "rules").first()


@dataclass(frozen=True, slots=True)
class ReplayResult:
    """The result of recomputing a screen: rows of what, then and now; or why it was not done."""

    agrees: bool
    rows: tuple[tuple[str, str, str, bool], ...] = ()
    notes: tuple[str, ...] = ()
    refused: str = ""


def replay_for_page(screen: Screen) -> ReplayResult:
    """Recompute a screen with the lists of that time, if their index is built."""
    # building an index takes far too long for a page: the command `replay_screen` does it
    try:
        lists = load_set_of_versions(screen.data.get("versions", {}).get("lists", {}))
        built = indexes.is_index_built(lists.id) or indexes.is_index_built(lists.id, replay=True)
        if not screen.purged and not built:
            return ReplayResult(False, refused=NOT_INDEXED.format(screen.screen_id))
        screen_replay = replay_screen(record=screen)
        pairs = (
            (
                "Decision",
                *(DECISIONS.get(decision, decision) for decision in screen_replay.decision),
            ),
            ("Risk score", *(str(score) for score in screen_replay.risk_score)),
            (
                "Rules",
                *(
                    "; ".join(TITLES.get(c, c) for c in rule) or "none"
                    for rule in screen_replay.rules
                ),
            ),
        )
        rows = tuple((what, then, anew, then == anew) for what, then, anew in pairs)
        return ReplayResult(screen_replay.agrees, rows, screen_replay.notes)
    except (ScreenPurged, ListsUnavailable) as error:
        return ReplayResult(False, refused=str(error))
    except (LookupError, TypeError, ValueError, AttributeError):
        logger.exception("screen %s cannot be recomputed", screen.screen_id)
        return ReplayResult(False, refused="The record cannot be recomputed.")
