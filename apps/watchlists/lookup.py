"""Finds a party on the lists and keeps what an officer or examiner needs to see of it."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from decimal import Decimal
from functools import partial

from apps.watchlists import evidence, holders
from apps.watchlists.engine import Engine
from apps.watchlists.evidence import Effect
from apps.watchlists.found import Found, Match
from apps.watchlists.matching.craft import CRAFT, only_like
from apps.watchlists.matching.explain import explain
from apps.watchlists.matching.index import Hit, MatchIndex, Query
from apps.watchlists.matching.lone import borne_out
from apps.watchlists.matching.thresholds import BELOW_MATCH
from apps.watchlists.namefield import Field, Part, held, read, spotted
from apps.watchlists.namefield.values import PartHit
from apps.watchlists.rules import BLOCK_SCORE, MOST, PARTIAL_SCORE, PEP_SCORE, percent
from apps.watchlists.sightings import Sighting
from apps.watchlists.subjects import Subject
from apps.watchlists.values import Identifier

SHOWN = 5
DOUBTED = BELOW_MATCH  # a number on the list that may be another's: a human looks
DEEPER = 50  # hits looked at where a common word brought some: what another bears may lie behind
_NOBODY = Hit("", "", 0.0, "", -1)
LEAST = 0.2  # a best score under 45 is told too; under 20 the search says nothing, and 0 is told


def sanctions(*, engine: Engine, subject: Subject) -> Found:
    """Return sanctioned parties that a name resembles, or that bear an identifier or wallet.

    Every type of listed party is searched, by each part of a name field; what is known of the
    subject beside its names moves a hit (DESIGN.md section 4, What is compared with what).
    Document 1 section 2.7, check rule 3.
    """
    fields = {name: read(name) for name in subject.names}
    ranked = _ranked(engine.sanctions, subject, fields)
    matches = tuple(
        _match(engine.sanctions, subject, one)
        for one in ranked[:SHOWN]
        if percent(one.hit.score) >= PARTIAL_SCORE
    )
    score = percent(ranked[0].hit.score) if ranked else 0
    nearest = f"{ranked[0].hit.name} ({ranked[0].hit.dataset})" if score else ""
    unread = dict.fromkeys(why for field in fields.values() for why in field.unread)
    return Found(matches, tuple(unread), score, nearest)


def sanction_hits(*, index: MatchIndex, subject: Subject) -> tuple[Hit, ...]:
    """Return what `sanctions` finds, best first, with its scores and without evidence of any."""
    fields = {name: read(name) for name in subject.names}
    return tuple(one.hit for one in _ranked(index, subject, fields))


def matches(*, index: MatchIndex, subject: Subject, most: int) -> tuple[Match, ...]:
    """Return what `sanctions` finds in an index of some parties of the lists, `most` by a name."""
    fields = {name: read(name) for name in subject.names}
    ranked = _ranked(index, subject, fields, most)
    held = (one for one in ranked if percent(one.hit.score) >= PARTIAL_SCORE)
    return tuple(_match(index, subject, one) for one in held)


def _ranked(
    index: MatchIndex, subject: Subject, fields: Mapping[str, Field], most: int = SHOWN
) -> list[Sighting]:
    """Return the best sighting of each party, best first."""
    written = _written(subject, fields)
    best: dict[str, Sighting] = {}
    for sighting in _sightings(index, subject, fields, written, most):
        rival = best.get(sighting.hit.ref)
        if rival is None or sighting.rank > rival.rank:
            best[sighting.hit.ref] = sighting
    if all(percent(one.hit.score) < PARTIAL_SCORE for one in best.values()):
        near = tuple(best.values())
        best |= {one.hit.ref: one for one in _spotted(index, subject, fields, near)}
    return sorted(best.values(), key=lambda one: (-one.hit.score, -one.cost, one.hit.ref))


def _spotted(
    index: MatchIndex, subject: Subject, fields: Mapping[str, Field], near: tuple[Sighting, ...]
) -> Iterator[Sighting]:
    """Yield parties whose name stands somewhere in another, the least certain first."""
    found = []
    for name, field in fields.items():
        query = next(_queries(subject, field.parts[0], ()))
        seen = tuple(one.hit for one in near if one.part is field.parts[0])
        question = ("spotted", query, field, seen)
        for one in index.once(question, partial(_within, index, query, field, seen)):
            asked = replace(query, name=one.part.text)
            borne = Sighting(one.hit, asked, one.part, name == subject.name)
            found.append(_weighed(index, borne))
    yield from sorted(found, key=lambda one: one.hit.score)


def _within(
    index: MatchIndex, query: Query, field: Field, near: tuple[Hit, ...]
) -> tuple[PartHit, ...]:
    cutoff = PARTIAL_SCORE / 100
    return tuple(
        spotted(index=index, query=query, field=field, cutoff=cutoff, brief=True, near=near)
    )


def _searched(
    index: MatchIndex, query: Query, least: float, most: int, contradicted: bool
) -> tuple[Hit, ...]:
    return tuple(index.search(query, cutoff=least, limit=most, contradicted=contradicted))


def _written(subject: Subject, fields: Mapping[str, Field]) -> tuple[Identifier, ...]:
    """Return the identifiers that stand in the names, beside those that were given.

    They may be another's, a ship's that carries the goods: they find, and say nothing of the party.
    """
    found = dict.fromkeys(one for field in fields.values() for one in field.identifiers)
    held = {(one.kind, one.value) for one in evidence.numbers(subject)}
    return tuple(one for one in found if (one.kind, one.value) not in held)


def _sightings(
    index: MatchIndex,
    subject: Subject,
    fields: Mapping[str, Field],
    written: tuple[Identifier, ...],
    shown: int,
) -> Iterator[Sighting]:
    borne = [
        (hit, kind, identifier)
        for identifier in (*evidence.numbers(subject), *written)
        for kind, value in evidence.looked_up(identifier)
        for hit in index.search_exact(kind=kind, value=value)
    ] + list(_tails(index, subject))
    plain = Query(name=subject.name)
    for hit, kind, identifier in borne:
        why = evidence.doubt(index.entity(hit.position), kind=kind, identifier=identifier)
        doubted = replace(hit, score=DOUBTED) if why else hit
        yield Sighting(
            doubted, plain, Part(subject.name), identifier=identifier, printed=kind, doubt=why
        )
    # what somebody bears was found above; of the rest what the caller gave may contradict
    found = {identifier for _, _, identifier in borne}
    others = tuple(one for one in subject.identifiers if one not in found)
    ships = any(one.kind == "imo" for one in written)
    for name, field in fields.items():
        for part in field.parts:
            first = part is field.parts[0]
            cutoff = LEAST if first else PARTIAL_SCORE / 100
            for query in _queries(subject, part, others, ships=ships):
                asked = Sighting(_NOBODY, query, part, name == subject.name)
                yield from _named(index, asked, cutoff, shown, contradicted=first)


def _named(
    index: MatchIndex, asked: Sighting, cutoff: float, shown: int, *, contradicted: bool
) -> Iterator[Sighting]:
    """Yield the parties that a name resembles; those behind the first few where one is held."""
    for least, most in ((cutoff, shown), (BLOCK_SCORE / 100, max(DEEPER, shown))):
        hits = index.once(
            ("search", asked.query, least, most, contradicted),
            partial(_searched, index, asked.query, least, most, contradicted),
        )
        found = [_weighed(index, replace(asked, hit=held(hit, asked.part))) for hit in hits]
        yield from found
        if len(hits) < most or not any(one.thin for one in found):
            return


def _weighed(index: MatchIndex, one: Sighting) -> Sighting:
    """Hold below a match what too little of a name found, unless more than the name bears it out.

    A ship or an aircraft is called by a word, and is meant by its own name alone.
    """
    hit, entity = one.hit, index.entity(one.hit.position)
    if percent(hit.score) < BLOCK_SCORE:
        return one
    why = explain(query=one.query, entity=entity, name=hit.name, weights=index.weights)
    craft = entity.schema in CRAFT
    thin = only_like(why, latin=one.query.name.isascii()) if craft else why.thin
    if thin is None or borne_out(why.qualifiers):
        return one
    cost = round(hit.score - MOST / 100, 4)
    return replace(one, hit=replace(hit, score=MOST / 100), thin=thin, cost=cost)


def _queries(
    subject: Subject, part: Part, identifiers: tuple[Identifier, ...], *, ships: bool = False
) -> Iterator[Query]:
    """Yield a query for a part of a name; where the text may name a ship, one more as of a ship."""
    known = evidence.schema_of(subject)
    query = Query(
        name=part.text,
        birth_date=subject.birth_date,
        countries=(subject.nationality,) if subject.nationality else (),
        identifiers=identifiers,
        address=subject.address,
        known=known,
    )
    yield query
    hint = part.schema_hint or ("Vessel" if ships else None)
    if known == "Unknown" and hint is not None:
        yield replace(query, known=hint)


def _tails(index: MatchIndex, subject: Subject) -> Iterator[tuple[Hit, str, Identifier]]:
    """Yield the aircraft that bear a tail number as their name, as lists print most of them."""
    for identifier in subject.identifiers:
        if identifier.kind != evidence.TAIL:
            continue
        query = Query(name=identifier.value, schema="Aircraft")
        for hit in index.search(query, cutoff=PARTIAL_SCORE / 100, limit=SHOWN):
            names = index.entity(hit.position).names
            bearing = (one.full for one in names if evidence.same(one.full, identifier.value))
            if name := next(bearing, ""):
                yield replace(hit, score=1.0, name=name, exact=True), evidence.TAIL, identifier


def _match(index: MatchIndex, subject: Subject, one: Sighting) -> Match:
    entity, hit = index.entity(one.hit.position), one.hit
    why = None
    if one.identifier is None and hit.name:
        why = explain(query=one.query, entity=entity, name=hit.name, weights=index.weights)
    known = one.query.known or evidence.schema_of(subject)
    told = evidence.effects(
        subject=subject,
        known=known,
        entity=entity,
        qualifiers=why.qualifiers if why else (),
        exact=one.identifier,
        share=Decimal(str(hit.score)),
    )
    said = evidence.sentences(known=known, entity=entity, told=told, exact=one.identifier)
    notes = [*_introduced(one), *_borne(one), *said]
    if one.thin:
        cost = Effect(one.thin.code, one.thin.words, hit.name, -Decimal(str(one.cost)))
        told, notes = (*told, cost), [*notes, evidence.lone(one.thin)]
    return Match(
        ref=hit.ref,
        dataset=hit.dataset,
        name=hit.name,
        score=percent(hit.score),
        entity=entity,
        asked=one.identifier.value if one.identifier else one.query.name,
        by=_by(one.identifier, one.named),
        part=one.part.kind,
        effects=told,
        notes=tuple(notes),
        explanation=why,
    )


def _introduced(one: Sighting) -> Iterator[str]:
    if one.identifier is None and one.part.told:
        yield f"The name field gives {one.part.text} as {one.part.told}."


def _borne(one: Sighting) -> Iterator[str]:
    """Yield that the list has an identifier, under which kind, and why it may be another's."""
    if one.identifier is not None:
        kind, printed = evidence.WORDS[one.identifier.kind], evidence.WORDS[one.printed]
        other = "" if printed == kind else f" as: {printed.lower()}"
        yield f"{kind} {one.identifier.value} is on the list{other}{one.doubt and '; '}{one.doubt}."


def _by(identifier: Identifier | None, named: bool) -> str:
    if identifier is not None:
        return identifier.kind.upper()
    return "NAME" if named else "ALIAS"


def office_holders(*, engine: Engine, subject: Subject) -> tuple[Match, ...]:
    """Return politically exposed persons at 60% or more, best first, at most five.

    Where nobody is found, those whose name stands whole within a long text, as of a payroll.
    """
    ranked = _holders(engine.pep, subject)
    bare = Subject(name=subject.name, aliases=subject.aliases)
    told = ((_match(engine.pep, bare, seen), near) for seen, near in ranked[:SHOWN])
    return tuple(_as_near(match) if near else match for match, near in told)


def holder_matches(*, index: MatchIndex, subject: Subject, most: int) -> tuple[Match, ...]:
    """Return what `office_holders` finds in an index of some of them, `most` by a name."""
    bare = Subject(name=subject.name, aliases=subject.aliases)
    told = ((_match(index, bare, seen), near) for seen, near in _holders(index, subject, most))
    return tuple(_as_near(match) if near else match for match, near in told)


def office_holder_hits(*, index: MatchIndex, subject: Subject) -> tuple[Hit, ...]:
    """Return what `office_holders` finds, best first, with its scores and without evidence."""
    return tuple(seen.hit for seen, _near in _holders(index, subject))


def _holders(index: MatchIndex, subject: Subject, most: int = SHOWN) -> list[tuple[Sighting, bool]]:
    """Return the best sighting of each office holder, best first, and whether it is only near."""
    best: dict[str, tuple[Sighting, bool]] = {}
    fields = {name: read(name) for name in subject.names}
    asked = [(name, part) for name, field in fields.items() for part in field.parts]
    for name, part in asked:
        query = Query(name=part.text, schema="Person")
        found = holders.office_holders(
            index=index, name=part.text, limit=most, country=subject.nationality
        )
        for one in found:
            rival = best.get(one.hit.ref)
            if rival is None or one.hit.score > rival[0].hit.score:
                seen = Sighting(one.hit, query, part, name == subject.name)
                best[one.hit.ref] = seen, one.near
    best = best or {one.hit.ref: (one, False) for one in _holders_within(index, fields)}
    return sorted(best.values(), key=lambda one: (-one[0].hit.score, one[0].hit.ref))


def _holders_within(index: MatchIndex, fields: Mapping[str, Field]) -> Iterator[Sighting]:
    """Yield office holders whose name stands somewhere in a long text."""
    main = next(iter(fields))
    for name, field in fields.items():
        query = Query(name=field.parts[0].text, schema="Person")
        for one in spotted(index=index, query=query, field=field, cutoff=PEP_SCORE / 100):
            yield Sighting(one.hit, replace(query, name=one.part.text), one.part, name == main)


def _as_near(match: Match) -> Match:
    """Tell why an office holder's score is lower than that of the name."""
    cost = Effect("near", match.asked, match.name, -Decimal(str(holders.NEAR_COST)))
    note = "The name is only near, and no country bears it out."
    return replace(match, effects=(*match.effects, cost), notes=(*match.notes, note))
