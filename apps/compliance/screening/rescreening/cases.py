"""Open the case of a party that a changed list matches; call it inside the batch's transaction."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from apps.backoffice.review.models import UNDECIDED, Case
from apps.backoffice.review.rules.case_keys import build_entity_key, build_party_key
from apps.backoffice.review.rules.evidence import freeze_evidence
from apps.backoffice.review.services import CaseOpening, open_case
from apps.backoffice.sar.entry_facts import PaymentFacts
from apps.backoffice.sar.models import SarEntry
from apps.backoffice.sar.sanctions_authorities import is_ofac_report_owed
from apps.backoffice.sar.services.entries import BlockedOutcome, open_entry
from apps.compliance.payees.evidence_view import sanctions_lists
from apps.compliance.screening.combined.listed_labels import label_listed_parties
from apps.compliance.screening.models import Rescreen
from apps.compliance.screening.rescreening.evidence_view import (
    build_evidence_view,
)
from apps.compliance.screening.rescreening.judged_matches import JudgedMatch, serialize_party
from apps.compliance.screening.rules.rescreening import (
    FOUND,
    FOUND_HOLDER,
    FULL,
    NOT_CHECKED,
    VERSION,
    match_risk_score,
    rescreen_case_risk,
    score_band,
)
from apps.reference.watchlists.budgeted_name_search import OVER_BUDGET
from apps.reference.watchlists.matcher_version import compute_matcher_version
from apps.reference.watchlists.models import Party, PartyKind
from apps.reference.watchlists.presenters.matches import TITLES

KIND = "rescreen"


def open_rescreen_case(
    *, run: Rescreen, party: Party, rows: Sequence[JudgedMatch], versions: Mapping[str, Any],
    now: datetime,
) -> bool:  # fmt: skip
    """Open the case of a re-screened party if there are new matches; return whether there are.

    A registered party with a full match goes into the SAR log as well, like a refused registration.
    No client is informed.
    """
    news = [row for row in rows if row.ruling.opens]
    if not news:
        return False
    listed, holders = _split_by_topic(news)
    score = max((match.found.match.score for match in listed), default=0)
    evidence = _build_evidence(run, party, news, versions)
    opening = CaseOpening(
        # the late check of a run may match the same pair again: it then finds this case
        ref=f"{run.pk}.{party.pk}.{news[0].found.change.digest[:16]}",
        **_party_facts(party),
        risk=rescreen_case_risk(score),
        risk_score=max(
            match_risk_score(judged_match.found.match.score, holder=judged_match.found.holder)
            for judged_match in news
        ),
        reasons=[
            {"code": rule.code, "ref": rule.ref, "sentence": _match_sentence(matches)}
            for rule, matches in ((FOUND.get(score_band(score)), listed), (FOUND_HOLDER, holders))
            if matches and rule
        ],
        evidence=evidence,
        entity_key=build_entity_key(
            listed_party.key for listed_party in label_listed_parties(evidence)
        ),
    )
    case = open_case(opening=opening, now=now)
    # its registration would have been refused and logged by the lists of today
    full = any(
        score_band(match.found.match.score) == FULL for match in news if not match.found.holder
    )
    if full and party.kind == PartyKind.REGISTERED:
        _log_sar_entry(case, opening, now)
    return True


def _party_facts(party: Party) -> dict[str, Any]:
    """Return what the case of a re-screened party says of it."""
    return {
        "kind": KIND,
        "owner": party.owner,
        "title": f"Re-screen of {party.name}",
        "party": party.name,
        "country": party.country,
        "lei": party.known.get("lei", ""),
        "wallet": party.known.get("wallet", ""),
    }


def open_unchecked_case(
    *, run: Rescreen, party: Party, versions: Mapping[str, Any], now: datetime
) -> bool:
    """Open the case of a party whose names take too long to compare; return whether it was new."""
    # one such case is enough while no officer has decided it: each slice of a run would add one
    rule_ref = NOT_CHECKED.ref
    waiting = Case.objects.filter(
        kind=KIND, owner=party.owner, party_key=build_party_key(party.name), status__in=UNDECIDED
    )
    if any(rule["ref"] == rule_ref for case in waiting for rule in case.rules):
        return False
    open_case(
        opening=CaseOpening(
            ref=f"{run.pk}.{party.pk}.{NOT_CHECKED.code}",
            **_party_facts(party),
            risk=rescreen_case_risk(0),
            risk_score=0,
            reasons=[{"code": NOT_CHECKED.code, "ref": rule_ref,
                      "sentence": f"Name not fully checked: {OVER_BUDGET}"}],
            evidence=_build_evidence(run, party, (), versions),
            entity_key="",
        ),
        now=now,
    )  # fmt: skip
    return True


def _split_by_topic(news: Sequence[JudgedMatch]) -> tuple[list[JudgedMatch], list[JudgedMatch]]:
    """Return the sanctions matches, and the PEP matches."""
    return [o for o in news if not o.found.holder], [o for o in news if o.found.holder]


def _match_sentence(news: Sequence[JudgedMatch]) -> str:
    """Describe whom the party matches since the change, the best first."""
    sentences = []
    for judged_match in news:
        match, what = judged_match.found.match, judged_match.ruling.title
        title = TITLES.get(match.dataset, match.dataset)
        then = (
            f" (before: {judged_match.found.before} %)"
            if judged_match.found.before is not None
            else ""
        )
        sentences.append(f"{match.score} %{then}: {match.name} ({title}). {what}.")
    return " ".join(sentences)


def _build_evidence(
    run: Rescreen, party: Party, news: Sequence[JudgedMatch], versions: Mapping[str, Any]
) -> dict[str, Any]:
    listed, holders = _split_by_topic(news)
    return {
        "party": serialize_party(party),
        "seen": {"first": party.first_seen.isoformat(), "last": party.last_seen.isoformat()},
        "sanctions": [match.found.match.recorded() for match in listed],
        "pep": [holder.found.match.recorded() for holder in holders],
        "changes": [
            {
                "entityId": judged_match.found.match.ref,
                "why": judged_match.ruling.code,
                "fields": list(judged_match.found.change.fields),
                "before": judged_match.found.before,
                "digest": judged_match.found.change.digest,
                "former": judged_match.found.change.former,
            }
            for judged_match in news
        ],
        "run": {
            "number": run.pk,
            "list": run.source.slug,
            "since": run.since,
            "through": run.through,
        },
        "versions": dict(versions["versions"])
        | {"rules": VERSION, "matcher": compute_matcher_version()},
        "published": versions["published"],
    }


def _log_sar_entry(case: Case, opening: CaseOpening, now: datetime) -> None:
    # the late check may have matched the same pair: an outcome enters the log once
    if SarEntry.objects.filter(kind=KIND, ref=opening.ref).exists():
        return
    lists = sorted(sanctions_lists(dict(opening.evidence)))
    open_entry(
        blocked=BlockedOutcome(
            kind=KIND,
            ref=opening.ref,
            owner=opening.owner,
            party=opening.party,
            lei=opening.lei,
            reasons=[reason["sentence"] for reason in opening.reasons],
            rules=[reason["ref"] for reason in opening.reasons],
            sanctions=is_ofac_report_owed(lists),
            lists=lists,
            risk_score=opening.risk_score,
            opened_at=case.opened_at,
            screened_at=now,
            facts=PaymentFacts(
                country=opening.country,
                wallet=opening.wallet,
                picture=dict(freeze_evidence(build_evidence_view(dict(opening.evidence)))),
            ),
        ),
        now=now,
    )
