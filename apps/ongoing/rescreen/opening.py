"""What is news of a party, and the case that it opens; call it inside the batch's transaction."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from apps.ongoing.models import Rescreen
from apps.ongoing.picture import (
    listed_labels,
    listed_parties,
    party_rows,
    picture,
    sanctions_lists,
)
from apps.ongoing.rescreen.holding import Found
from apps.ongoing.rules import (
    FOUND,
    FOUND_HOLDER,
    FULL,
    VERSION,
    Pair,
    Ruling,
    band,
    risk,
    risk_score,
    rule,
    same_party,
)
from apps.review import kinds
from apps.review.actions import Opening, open_case
from apps.review.models import UNDECIDED, Case
from apps.review.rules.keys import entity_key, frozen, party_key
from apps.review.suppressing import Holding, holding
from apps.review.telling import party_of
from apps.sar.actions import Blocked, open_entry
from apps.sar.authorities import owes_ofac
from apps.sar.facts import Facts
from apps.sar.models import SarEntry
from apps.watchlists.drawn.match import TITLES
from apps.watchlists.matcher_version import matcher
from apps.watchlists.models import Party, PartyKind

KIND = "rescreen"


@dataclass(frozen=True, slots=True)
class Judged:
    """A changed entry that a party matches, and what holds of the pair."""

    found: Found
    ruling: Ruling


def judged(*, party: Party, found: Sequence[Found], now: datetime) -> list[Judged]:
    """Return what holds of each pair of a party; two to three queries."""
    keys = {key_of(one): one for one in found}
    key, lei = party_key(party.name), party.known.get("lei", "")
    known = holding(owner=party.owner, party_key=key, lei=lei, entities=list(keys), now=now)
    open_ones = _standing(party, key)
    theirs = {entity for entity, one in known.items() if _of(one, party, key, lei)}
    return [
        Judged(one, rule(_pair(one, known.get(entity), entity in open_ones, entity in theirs)))
        for entity, one in keys.items()
    ]


def _of(one: Holding, party: Party, key: str, lei: str) -> bool:
    """Tell whether officers knew exactly this party: a namesake is another."""
    named = one.party_key == key and one.lei == lei
    return named and same_party(one.party, _rows(party), whole=True)


def _rows(party: Party) -> list[tuple[str, str]]:
    return [(row["label"], row["value"]) for row in party_rows(_told(party))]


def _told(party: Party) -> dict[str, Any]:
    """Return a party as the evidence of its case has it."""
    known = {"name": party.name, "schema": party.schema, "country": party.country}
    known |= {"birthDate": party.birth_date, **party.known}
    return known | {"kind": party.kind, "reference": party.reference}


def _pair(one: Found, known: Holding | None, standing: bool, own: bool) -> Pair:
    as_is = own and known is not None and not known.woken and known.entry == one.change.digest
    as_was = known is not None and known.entry == one.change.former != ""
    return Pair(
        now=one.match.score,
        before=one.before,
        standing=standing,
        known=as_is,
        woken=as_was and not as_is,
        holder=one.holder,
    )


def key_of(one: Found) -> str:
    """Return a matched entry as cases name it."""
    return f"{one.match.dataset}:{one.match.ref}"


def _standing(party: Party, key: str) -> set[str]:
    """Return the listed parties of the open cases of a client's party; not those of a namesake."""
    cases = Case.objects.filter(owner=party.owner, party_key=key).filter(status__in=UNDECIDED)
    rows = _rows(party)
    return {
        one
        for case in cases
        if same_party(party_of(kinds.drawn(case.kind, case.evidence)), rows, whole=False)
        for one in listed_parties(case.evidence)
    }


def tally(rows: Sequence[Judged]) -> Counter[str]:
    """Count the pairs that open nothing, by why."""
    return Counter(one.ruling.code for one in rows if not one.ruling.opens)


def open_for(
    *, run: Rescreen, party: Party, rows: Sequence[Judged], versions: Mapping[str, Any],
    now: datetime,
) -> bool:  # fmt: skip
    """Open the case of a party of which something is news; tells whether there is any.

    A registered party that is matched fully goes into the SAR log as well, as one does whose
    registration is refused. Nothing of it is told to any client.
    """
    news = [one for one in rows if one.ruling.opens]
    if not news:
        return False
    opening = _opening(run, party, news, versions, now)
    case = open_case(opening=opening, now=now)
    full = any(band(one.found.match.score) == FULL for one in news if not one.found.holder)
    if full and party.kind == PartyKind.REGISTERED:
        _log(case, opening, now)
    return True


def _opening(
    run: Rescreen, party: Party, news: Sequence[Judged], versions: Mapping[str, Any], now: datetime
) -> Opening:
    listed, holders = _parted(news)
    score = max((one.found.match.score for one in listed), default=0)
    evidence = _evidence(run, party, news, versions)
    return Opening(
        kind=KIND,
        ref=f"{run.pk}.{party.pk}.{news[0].found.change.digest[:16]}",
        owner=party.owner,
        title=f"Re-screen of {party.name}",
        party=party.name,
        country=party.country,
        lei=party.known.get("lei", ""),
        wallet=party.known.get("wallet", ""),
        risk=risk(score),
        risk_score=max(risk_score(one.found.match.score, holder=one.found.holder) for one in news),
        reasons=[
            {"code": why.code, "ref": why.ref, "sentence": _sentence(rows)}
            for why, rows in ((FOUND.get(band(score)), listed), (FOUND_HOLDER, holders))
            if rows and why
        ],
        evidence=evidence,
        entity_key=entity_key(one.key for one in listed_labels(evidence)),
    )


def _parted(news: Sequence[Judged]) -> tuple[list[Judged], list[Judged]]:
    """Return what is sanctioned, and who holds an office."""
    return [o for o in news if not o.found.holder], [o for o in news if o.found.holder]


def _sentence(news: Sequence[Judged]) -> str:
    """Say whom the party matches since the change, the best first."""
    said = []
    for one in news:
        match, what = one.found.match, one.ruling.title
        title = TITLES.get(match.dataset, match.dataset)
        then = f" (before: {one.found.before} %)" if one.found.before is not None else ""
        said.append(f"{match.score} %{then}: {match.name} ({title}). {what}.")
    return " ".join(said)


def _evidence(
    run: Rescreen, party: Party, news: Sequence[Judged], versions: Mapping[str, Any]
) -> dict[str, Any]:
    listed, holders = _parted(news)
    return {
        "party": _told(party),
        "seen": {"first": party.first_seen.isoformat(), "last": party.last_seen.isoformat()},
        "sanctions": [one.found.match.recorded() for one in listed],
        "pep": [one.found.match.recorded() for one in holders],
        "changes": [_change(one) for one in news],
        "run": {"number": run.pk, "list": run.source.slug, "since": run.since,
                "through": run.through},
        "versions": dict(versions["versions"]) | {"rules": VERSION, "matcher": matcher()},
        "published": versions["published"],
    }  # fmt: skip


def _change(one: Judged) -> dict[str, Any]:
    change = one.found.change
    return {
        "entityId": one.found.match.ref,
        "why": one.ruling.code,
        "fields": list(change.fields),
        "before": one.found.before,
        "digest": change.digest,
        "former": change.former,
    }


def _log(case: Case, opening: Opening, now: datetime) -> None:
    if SarEntry.objects.filter(kind=KIND, ref=opening.ref).exists():
        return
    lists = sorted(sanctions_lists(dict(opening.evidence)))
    open_entry(
        blocked=Blocked(
            kind=KIND,
            ref=opening.ref,
            owner=opening.owner,
            party=opening.party,
            lei=opening.lei,
            reasons=[one["sentence"] for one in opening.reasons],
            rules=[one["ref"] for one in opening.reasons],
            sanctions=owes_ofac(lists),
            lists=lists,
            risk_score=opening.risk_score,
            opened_at=case.opened_at,
            screened_at=now,
            facts=Facts(
                country=opening.country,
                wallet=opening.wallet,
                picture=dict(frozen(picture(dict(opening.evidence)))),
            ),
        ),
        now=now,
    )
