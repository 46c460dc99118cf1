"""What is news of a party, and the case that it opens; call it inside the batch's transaction."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from apps.ongoing.models import Rescreen
from apps.ongoing.picture import listed_labels, listed_parties, picture, sanctions_lists
from apps.ongoing.rescreen.holding import Found
from apps.ongoing.rules import FOUND, FULL, VERSION, Pair, Ruling, band, risk, rule
from apps.review.actions import Opening, open_case
from apps.review.models import Case, Status
from apps.review.rules.keys import entity_key, frozen, party_key
from apps.review.suppressing import Holding, holding
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
    return [
        Judged(one, rule(_pair(one, known.get(entity), standing=entity in open_ones)))
        for entity, one in keys.items()
    ]


def _pair(one: Found, known: Holding | None, *, standing: bool) -> Pair:
    as_is = known is not None and not known.woken and known.entry == one.change.digest
    as_was = known is not None and known.entry == one.change.former != ""
    return Pair(
        now=one.match.score,
        before=one.before,
        standing=standing,
        known=as_is,
        woken=as_was and not as_is,
    )


def key_of(one: Found) -> str:
    """Return a matched entry as cases name it."""
    return f"{one.match.dataset}:{one.match.ref}"


def _standing(party: Party, key: str) -> set[str]:
    """Return the listed parties of the open cases of a client's party."""
    cases = Case.objects.filter(owner=party.owner, party_key=key).exclude(status=Status.DECIDED)
    return {one for case in cases for one in listed_parties(case.evidence)}


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
    full = any(band(one.found.match.score) == FULL for one in news)
    if full and party.kind == PartyKind.REGISTERED:
        _log(case, opening, now)
    return True


def _opening(
    run: Rescreen, party: Party, news: Sequence[Judged], versions: Mapping[str, Any], now: datetime
) -> Opening:
    score = max(one.found.match.score for one in news)
    evidence = _evidence(run, party, news, versions)
    held = FOUND[band(score)]
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
        risk_score=score,
        reasons=[{"code": held.code, "ref": held.ref, "sentence": _sentence(news)}],
        evidence=evidence,
        entity_key=entity_key(one.key for one in listed_labels(evidence)),
    )


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
    known = {"name": party.name, "schema": party.schema, "country": party.country}
    known |= {"birthDate": party.birth_date, **party.known}
    return {
        "party": known | {"kind": party.kind, "reference": party.reference},
        "seen": {"first": party.first_seen.isoformat(), "last": party.last_seen.isoformat()},
        "sanctions": [one.found.match.recorded() for one in news],
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
