"""Ownership chain screen: `POST /compliance/ubo-chain`, and the owners of the combined screen.

Specification: document 1 section 2.6; DESIGN.md section 4. Call it outside a transaction: an
LEI that is not held is asked of GLEIF once.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction

from apps.core.canonical import digest
from apps.core.problems import NotFound, Unavailable
from apps.core.signing import attest
from apps.lei import gleif, lookups
from apps.lei.values import Chain, Node
from apps.screening import countries, matches, rules_ubo
from apps.screening.matches import Match
from apps.screening.models.reports import UboReport
from apps.watchlists import engine as engines
from apps.watchlists.actions import Encounter, remember_parties
from apps.watchlists.engine import Engine
from apps.watchlists.models import PartyKind

UNFINISHED_KEPT = timedelta(minutes=5)


class LeiUnknown(NotFound):
    """GLEIF has no such LEI."""

    code, title = "lei_unknown", "No such LEI"


class LeiUnavailable(Unavailable):
    """The LEI is not held and could not be asked for."""

    code, title = "lei_unavailable", "The LEI could not be checked"


@dataclass(frozen=True, slots=True)
class Screened:
    """A node with what the sanctions lists say; `score` None when it could not be screened."""

    node: Node
    score: int | None
    matches: tuple[Match, ...]

    @property
    def status(self) -> str:
        """Return MATCH, PARTIAL, CLEAR or NOT_CHECKED."""
        if self.score is None:
            return "NOT_CHECKED"
        if self.score >= rules_ubo.BLOCK_SCORE:
            return "MATCH"
        return "PARTIAL" if self.score >= rules_ubo.PARTIAL_SCORE else "CLEAR"


def screen_nodes(*, chain: Chain, lists: Engine) -> tuple[Screened, ...]:
    """Screen each entity of a chain by its legal names and, exactly, by its LEI."""
    return tuple(_screen(node, lists) for node in chain.nodes)


def _screen(node: Node, lists: Engine) -> Screened:
    found: dict[str, Match] = {}
    for name in (node.name, *node.also) if node.known else ("",):
        for match in matches.sanctions(
            engine=lists, name=name, schema="Organization", lei=node.lei
        ):
            rival = found.get(match.ref)
            if rival is None or match.score > rival.score:
                found[match.ref] = match
    ranked = tuple(sorted(found.values(), key=lambda match: (-match.score, match.ref)))
    score = ranked[0].score if ranked else 0 if node.known else None
    return Screened(node, score, ranked[: matches.SHOWN])


def _shown(node: Node, match: Match) -> dict[str, Any]:
    return {
        "lei": node.lei,
        "name": node.name,
        "role": node.role,
        "matchedName": match.name,
        "matchedBy": "LEI" if match.exact else "NAME",
        "score": match.score / 100,
        "dataset": match.dataset,
        "entityId": match.ref,
        "programs": match.evidence["entity"]["programs"],
    }


def report(*, lei: str, deep: bool = False, now: datetime) -> dict[str, Any]:
    """Return the ownership report of a valid LEI, at most 24 hours old.

    Raises LeiUnknown (404) when GLEIF has no such LEI, LeiUnavailable (503) when the subject
    is not held and nobody could be asked, and 503 when the sanctions lists cannot be used.
    """
    lists = engines.current(now, need=("sanction",))
    listings = countries.listings_at(now)
    key = _key(lei, deep, lists.list_set.id, listings)
    kept = UboReport.objects.filter(key=key, expires_at__gt=now).first()
    if kept is not None:
        return dict(kept.body)
    chain = _chain(lei, deep, now)
    body = _body(chain, deep, lists, listings, now)
    with transaction.atomic():
        _keep(key, lei, chain, body, now)
        _remember(chain, now)
    return body


def _key(lei: str, deep: bool, list_set: str, listings: countries.Listings) -> str:
    listed = sorted((country, sorted(names)) for country, names in listings.by_country.items())
    return digest([lei, deep, list_set, rules_ubo.VERSION, listed])


def _chain(lei: str, deep: bool, now: datetime) -> Chain:
    found, chain = lookups.lookup_with_chain(lei=lei, now=now, levels=3, deep=deep)
    if found.status == "UNKNOWN":
        raise LeiUnknown(f"GLEIF has no LEI {lei}.")
    if chain is None:
        raise LeiUnavailable(f"LEI {lei} is not held, and GLEIF could not be asked.")
    return chain


def _body(
    chain: Chain, deep: bool, lists: Engine, listings: countries.Listings, now: datetime
) -> dict[str, Any]:
    screened = screen_nodes(chain=chain, lists=lists)
    labels = {one.node.lei: listings.label(country_of(one.node)) for one in screened}
    judged = rules_ubo.judge(facts(chain=chain, screened=screened, labels=labels))
    hits = [
        _shown(one.node, match)
        for one in screened
        for match in one.matches
        if match.score >= rules_ubo.BLOCK_SCORE
    ]
    return {
        "result": judged.result,
        "reasons": [finding.reason for finding in judged.findings],
        "chain": [_node(one, labels[one.node.lei]) for one in screened],
        "deep": deep,
        "gaps": [{"role": gap.role, "reason": gap.reason} for gap in chain.gaps],
        "sanctionsMatches": hits,
        "fatfAttestation": _attestation(chain, screened, labels, judged, lists, now),
        "dataQuality": _quality(chain, lists),
        "listVersions": lists.list_set.versions,
        "cachedAt": int(now.timestamp()),
    }


def facts(*, chain: Chain, screened: Iterable[Screened], labels: dict[str, str]) -> rules_ubo.Facts:
    """Return what the rules are asked about."""
    return rules_ubo.Facts(
        nodes=tuple(
            rules_ubo.NodeFact(
                one.node.role, one.node.lei, one.node.name, one.score, labels[one.node.lei]
            )
            for one in screened
        ),
        gaps=chain.gaps,
    )


def country_of(node: Node) -> str:
    """Return the ISO 3166-1 code of a node: of its jurisdiction, else of its legal address."""
    return (node.jurisdiction or node.country)[:2]


def _node(one: Screened, label: str) -> dict[str, Any]:
    return {
        "lei": one.node.lei,
        "name": one.node.name,
        "role": one.node.role,
        "jurisdiction": one.node.jurisdiction or one.node.country or None,
        "leiStatus": one.node.status or None,
        "countryLabel": label,
        "sanctions": {
            "status": one.status,
            "score": None if one.score is None else one.score / 100,
            "matches": [_shown(one.node, match) for match in one.matches],
        },
    }


def _quality(chain: Chain, lists: Engine) -> str:
    return "SAMPLE" if chain.sample or lists.sample else "LIVE"


def _attestation(
    chain: Chain,
    screened: tuple[Screened, ...],
    labels: dict[str, str],
    judged: rules_ubo.Judgement,
    lists: Engine,
    now: datetime,
) -> dict[str, Any]:
    """Return the signed statement: what was identified and checked, and never more."""
    order = ("MATCH", "NOT_CHECKED", "PARTIAL", "CLEAR")
    statuses = {one.status for one in screened}
    risk = next((name for name in countries.LABELS.values() if name in labels.values()), None)
    top = next((one.node.lei for one in screened if one.node.role == "ULTIMATE_PARENT"), None)
    return attest(
        {
            "type": "FATF_R16_UBO",
            "subject": chain.subject,
            "ownersIdentified": not rules_ubo.chain_note(chain.gaps),
            "owners": [one.node.lei for one in screened if one.node.role != "SUBJECT"],
            "ultimateParent": top,
            "exceptions": [f"{gap.role}: {gap.reason}" for gap in chain.gaps],
            "sanctionsStatus": next(one for one in order if one in statuses),
            "jurisdictionRisk": risk or countries.STANDARD,
            "result": judged.result,
            "rules": [finding.ref for finding in judged.findings],
            "rulesVersion": rules_ubo.VERSION,
            "listSet": lists.list_set.id,
            "ownershipAsOf": chain.as_of.isoformat() if chain.as_of else None,
            "dataQuality": _quality(chain, lists),
            "issuedAt": int(now.timestamp()),
        }
    )


def _keep(key: str, lei: str, chain: Chain, body: dict[str, Any], now: datetime) -> None:
    # a chain that a job is completing is asked for again soon
    waiting = gleif.configured() and any(gap.reason in rules_ubo.UNCHECKED for gap in chain.gaps)
    lasts = UNFINISHED_KEPT if waiting else timedelta(hours=rules_ubo.CACHED_HOURS)
    UboReport.objects.bulk_create(
        [UboReport(key=key, lei=lei, body=body, made_at=now, expires_at=now + lasts)],
        update_conflicts=True,
        update_fields=["body", "made_at", "expires_at"],
        unique_fields=["key"],
    )


def _remember(chain: Chain, now: datetime) -> None:
    remember_parties(encounters=encounters(chain.nodes), now=now)


def encounters(nodes: Iterable[Node]) -> list[Encounter]:
    """Return the known entities, to be noted: a later change of the lists is held against them."""
    return [
        Encounter(
            kind=PartyKind.SCREENED if node.role == "SUBJECT" else PartyKind.OWNER,
            schema="Organization",
            name=node.name,
            country=node.country,
            reference=f"lei:{node.lei}",
        )
        for node in nodes
        if node.known
    ]
