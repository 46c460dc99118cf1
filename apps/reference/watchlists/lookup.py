"""Finds a party on the lists and keeps what an officer or examiner needs to see of it."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from decimal import Decimal
from functools import partial
from itertools import chain

from apps.reference.names.cpu_budget import check_cpu_budget
from apps.reference.names.scripts.abjad import is_abjad
from apps.reference.watchlists import match_effects, pep_search
from apps.reference.watchlists.budgeted_name_search import (
    NameSearch,
    PepNameSearch,
    screen_cpu_budget,
)
from apps.reference.watchlists.engine import Engine
from apps.reference.watchlists.listed_entity import Identifier
from apps.reference.watchlists.lookup_hits import LookupHit
from apps.reference.watchlists.match_effects import MatchEffect
from apps.reference.watchlists.matches import BulkHits, ListMatch, LookupResult
from apps.reference.watchlists.matching.alignment import build_weighted_name
from apps.reference.watchlists.matching.explanation import explain_score
from apps.reference.watchlists.matching.index import Hit, MatchIndex, Query
from apps.reference.watchlists.matching.thresholds import BELOW_MATCH
from apps.reference.watchlists.matching.truncated_names import list_lines, read_cut_line
from apps.reference.watchlists.matching.vessel_names import CRAFT, find_weak_craft_agreement
from apps.reference.watchlists.matching.weak_agreement import (
    WeakAgreement,
    find_weak_beginning,
    is_corroborated,
)
from apps.reference.watchlists.namefield import (
    NameField,
    NamePart,
    cap_part_score,
    spot_listed_names,
)
from apps.reference.watchlists.namefield.parts import READINGS, PartHit
from apps.reference.watchlists.rules.score_limits import (
    BLOCK_SCORE,
    MOST_OF,
    PARTIAL_SCORE,
    PEP_SCORE,
    to_whole_percent,
)
from apps.reference.watchlists.subjects import Subject

SHOWN = 5
DOUBTED = BELOW_MATCH  # a listed number that may be another party's: for review
JUDGED = 200  # most parties per name where none blocks: each may be a known false positive
JUDGING = 0.25  # share of the CPU budget: owners and PEPs are screened as well
DEEPER = 50  # hits examined when a common word brought some: a better one may come later
_NOBODY = Hit("", "", 0.0, "", -1)
LEAST = 0.2  # a best score under 45 is reported too; below 20 the search is unreliable: 0


def match_sanctions(*, engine: Engine, subject: Subject) -> LookupResult:
    """Return sanctioned parties that match a name, or have an identifier or wallet.

    Every type of listed party is searched, by each part of a name field; what is known of the
    subject beside its names moves a hit (DESIGN.md section 4, What is compared with what).
    Document 1 section 2.7, check rule 3. Where one blocks, the best five tell enough; where none
    does, all that match in part are returned, for each may be known to be another party.
    """
    search = _search_sanctions(engine.sanctions, subject)
    # where nothing blocks an officer may clear each party as somebody else, so every one that
    # matches must be there; a part of the budget, as owners and PEPs are still to be screened
    if _may_match_further(search):
        with screen_cpu_budget(JUDGING):
            deeper = _search_sanctions(engine.sanctions, subject, JUDGED)
        if not deeper.unread:  # else what the first search compared is what counts
            search = deeper
    ranked = search.ranked
    score = to_whole_percent(ranked[0].hit.score) if ranked else 0
    lookup_hits = [
        lookup_hit
        for lookup_hit in ranked
        if to_whole_percent(lookup_hit.hit.score) >= PARTIAL_SCORE
    ]
    blocks = score >= BLOCK_SCORE
    return LookupResult(
        matches=tuple(
            _build_match(engine.sanctions, subject, lookup_hit)
            for lookup_hit in (lookup_hits[:SHOWN] if blocks else lookup_hits)
        ),
        unread=tuple(search.unread),
        score=score,
        nearest=f"{ranked[0].hit.name} ({ranked[0].hit.dataset})" if score else "",
        complete=not (blocks or search.cut or search.unread),
    )


def _may_match_further(search: NameSearch) -> bool:
    """Return whether further parties may match in part, behind those found, while none blocks."""
    scores = [to_whole_percent(lookup_hit.hit.score) for lookup_hit in search.best.values()]
    if search.unread or not scores or not PARTIAL_SCORE <= max(scores) < BLOCK_SCORE:
        return False
    return search.cut or sum(score >= PARTIAL_SCORE for score in scores) >= SHOWN


def find_sanction_hits(*, index: MatchIndex, subject: Subject) -> BulkHits:
    """Return what `match_sanctions` finds, best first, with its scores and without evidence."""
    search = _search_sanctions(index, subject)
    return BulkHits(tuple(lookup_hit.hit for lookup_hit in search.ranked), tuple(search.unread))


def match_sanctions_in_index(*, index: MatchIndex, subject: Subject, most: int) -> LookupResult:
    """Return what `match_sanctions` finds in an index of some listed parties, `most` by a name."""
    search = _search_sanctions(index, subject, most)
    lookup_hits = (
        lookup_hit
        for lookup_hit in search.ranked
        if to_whole_percent(lookup_hit.hit.score) >= PARTIAL_SCORE
    )
    return LookupResult(
        tuple(_build_match(index, subject, lookup_hit) for lookup_hit in lookup_hits),
        tuple(search.unread),
    )


def _search_sanctions(index: MatchIndex, subject: Subject, most: int = SHOWN) -> NameSearch:
    search = NameSearch()
    best = search.best
    with search.within_budget():
        fields = search.read(subject)
        # they may be another's, a ship's that carries the goods: they find, and say nothing of the
        # party
        identifiers_in_text = dict.fromkeys(
            identifier for field in fields.values() for identifier in field.identifiers
        )
        known_identifiers = {
            (identifier.kind, identifier.value)
            for identifier in match_effects.identifiers_of_subject(subject)
        }
        # what the caller gave as an identifier is looked up as such, not again as text
        written = tuple(
            identifier
            for identifier in identifiers_in_text
            if (identifier.kind, identifier.value) not in known_identifiers
        )
        # first by identifiers and by each name that the fields hold
        for sighting in _iter_lookup_hits(search, index, subject, fields, written, most):
            rival = best.get(sighting.hit.ref)
            if rival is None or sighting.rank > rival.rank:
                best[sighting.hit.ref] = sighting
        # then as beginnings of longer names, which messages cut off at 35 characters
        for sighting in _iter_cut_line_hits(search, index, subject, fields):
            rival = best.get(sighting.hit.ref)
            if rival is None or sighting.rank > rival.rank:
                best[sighting.hit.ref] = sighting
        # last, if nothing blocks: names within other words, which are for review, and pairs of
        # letters read as the letter that they look like (`rn`)
        if all(
            to_whole_percent(lookup_hit.hit.score) < BLOCK_SCORE for lookup_hit in best.values()
        ):
            near = tuple(best.values())
            for sighting in _iter_spotted_hits(index, subject, fields, near):
                # words within a name say less than the name itself, where that goes to review; a
                # reading of the whole name counts in full
                rival = best.get(sighting.hit.ref)
                kept = (
                    rival is not None
                    and to_whole_percent(rival.hit.score) >= PARTIAL_SCORE
                    and sighting.part.kind == "SEGMENT"
                )
                if rival is None or (sighting.rank > rival.rank and not kept):
                    best[sighting.hit.ref] = sighting
    return search


def _iter_cut_line_hits(
    search: NameSearch, index: MatchIndex, subject: Subject, fields: Mapping[str, NameField]
) -> Iterator[LookupHit]:
    """Yield parties of whose name a line of 35 characters is the beginning.

    The line is compared with what of the listed name fits on it. That tells less where the text
    goes on behind whole words, and where many names begin so.
    """
    for name, field in fields.items():
        # a reading in Latin letters has another length than the line that was cut
        parts = (part.text for part in field.searched if part.kind not in READINGS)
        texts = dict.fromkeys((*list_lines(name), *parts))
        for line in filter(None, map(read_cut_line, texts)):
            beginning = index.search_beginning(line.text)
            search.cut = search.cut or len(beginning) > SHOWN
            part = NamePart(line.text, "CUT")
            query = next(_iter_queries(subject, part, ()))
            for hit, begun in beginning[:SHOWN]:
                check_cpu_budget()
                entity, weights = index.entity(hit.position), index.weights
                why = explain_score(query=query, entity=entity, name=begun.text, weights=weights)
                words = build_weighted_name(name=begun.words, group="thing", weights=weights)
                thin = why.thin or find_weak_beginning(words)
                if not (thin or line.ends or begun.within_word):
                    thin = WeakAgreement("cut_line", begun.text)
                lookup_hit = LookupHit(
                    replace(hit, score=why.score), query, part, name == subject.name, why=why
                )
                yield _hold_down(lookup_hit, thin)


def _iter_spotted_hits(
    index: MatchIndex,
    subject: Subject,
    fields: Mapping[str, NameField],
    near: tuple[LookupHit, ...],
) -> Iterator[LookupHit]:
    """Yield parties whose name occurs within another, or in what a field looks like."""
    for name, field in fields.items():
        query = next(_iter_queries(subject, field.parts[0], ()))
        # the answer depends on these hits as well, so they are part of the cached question
        seen = tuple(lookup_hit.hit for lookup_hit in near if lookup_hit.part is field.parts[0])
        question = ("spotted", query, field, seen)
        for part_hit in index.once(
            question, partial(_spot_within_field, index, query, field, seen)
        ):
            check_cpu_budget()
            # the evidence compares the words that were spotted, not the whole field
            part_query = replace(query, name=part_hit.part.text)
            borne = LookupHit(part_hit.hit, part_query, part_hit.part, name == subject.name)
            yield _weigh_hit(index, borne)


def _spot_within_field(
    index: MatchIndex, query: Query, field: NameField, near: tuple[Hit, ...]
) -> tuple[PartHit, ...]:
    cutoff = PARTIAL_SCORE / 100
    return tuple(
        spot_listed_names(
            index=index, query=query, field=field, cutoff=cutoff, brief=True, near=near
        )
    )


def _search_index(
    index: MatchIndex, query: Query, least: float, most: int, contradicted: bool
) -> tuple[Hit, ...]:
    return tuple(index.search(query, cutoff=least, limit=most, contradicted=contradicted))


def _iter_lookup_hits(
    search: NameSearch,
    index: MatchIndex,
    subject: Subject,
    fields: Mapping[str, NameField],
    identifiers: tuple[Identifier, ...],
    shown: int,
) -> Iterator[LookupHit]:
    exact = (
        (hit, kind, identifier)
        for identifier in (*match_effects.identifiers_of_subject(subject), *identifiers)
        for kind, value in match_effects.expand_identifier_kinds(identifier)
        for hit in index.search_exact(kind=kind, value=value)
    )
    borne: set[Identifier] = set()
    plain = Query(name=subject.name)
    for hit, kind, identifier in chain(exact, _iter_tail_number_hits(index, subject)):
        borne.add(identifier)
        # an identifier scores 1.0 by itself; one that may be another party's goes to review
        why = match_effects.describe_identifier_doubt(
            index.entity(hit.position), kind=kind, identifier=identifier
        )
        doubted = replace(hit, score=DOUBTED) if why else hit
        yield LookupHit(
            doubted, plain, NamePart(subject.name), identifier=identifier, printed=kind, doubt=why
        )
    # what somebody bears was found above; of the rest what the caller gave may contradict
    others = tuple(
        other_identifier
        for other_identifier in subject.identifiers
        if other_identifier not in borne
    )
    # these come from the text: a ship's number there describes the payment, not the party
    ships = any(other_identifier.kind == "imo" for other_identifier in identifiers)
    for name, field in fields.items():
        for part in field.searched:
            first = part is field.parts[0]
            # only the name itself has a nearest score to report; other parts matter from review on
            cutoff = LEAST if first else PARTIAL_SCORE / 100
            for query in _iter_queries(subject, part, others, ships=ships):
                check_cpu_budget()
                hit_template = LookupHit(_NOBODY, query, part, name == subject.name)
                yield from _iter_name_hits(
                    search, index, hit_template, cutoff, shown, contradicted=first
                )


def _iter_name_hits(
    search: NameSearch,
    index: MatchIndex,
    hit_template: LookupHit,
    cutoff: float,
    shown: int,
    *,
    contradicted: bool,
) -> Iterator[LookupHit]:
    """Yield the parties that a name resembles; those behind the first few where one is held.

    Where further ones may match in part, that is noted in the search.
    """
    deeper = max(DEEPER, shown)
    least, most = cutoff, shown
    weighed: dict[Hit, LookupHit] = {}
    whole = False
    while True:
        hits = index.once(
            ("search", hit_template.query, least, most, contradicted),
            partial(_search_index, index, hit_template.query, least, most, contradicted),
        )
        # the second round finds the first ones again: each is weighed and yielded once
        for hit in hits:
            if hit not in weighed:
                check_cpu_budget()
                weighed[hit] = _weigh_hit(
                    index, replace(hit_template, hit=cap_part_score(hit, hit_template.part))
                )
                yield weighed[hit]
        # `whole`: a round reached below the review threshold without filling up, so none is missing
        ended = len(hits) < most or to_whole_percent(hits[-1].score) < PARTIAL_SCORE
        whole = whole or (ended and least <= PARTIAL_SCORE / 100)
        thin = [lookup_hit.thin for lookup_hit in weighed.values() if lookup_hit.thin]
        if len(hits) < most or most == deeper or not thin:
            search.cut = search.cut or not whole
            return
        # limited hits crowd out others: search deeper, down to a match, or to the review threshold
        # if some were limited to below it
        unseen = any(MOST_OF[agreement.code] < PARTIAL_SCORE for agreement in thin)
        least, most = (PARTIAL_SCORE if unseen else BLOCK_SCORE) / 100, deeper


def _weigh_hit(index: MatchIndex, lookup_hit: LookupHit) -> LookupHit:
    """Hold down what too little of a name found, unless more than the name bears it out.

    Where consonants alone found it, the party's names in the letters of the query are compared too.
    """
    best_hit = _cap_weak_hit(index, lookup_hit)
    # only a limit below review hides a party: then another of its names deserves a look
    if best_hit.thin is None or MOST_OF[best_hit.thin.code] >= PARTIAL_SCORE:
        return best_hit
    entity, written = index.entity(lookup_hit.hit.position), is_abjad(lookup_hit.query.name)
    for name in dict.fromkeys(name.full for name in entity.names):
        if name == lookup_hit.hit.name or is_abjad(name) is not written:
            continue
        score = explain_score(
            query=lookup_hit.query, entity=entity, name=name, weights=index.weights
        ).score
        if score > best_hit.hit.score:
            other = _cap_weak_hit(
                index, replace(lookup_hit, hit=replace(lookup_hit.hit, name=name, score=score))
            )
            best_hit = max(best_hit, other, key=lambda sighting: sighting.hit.score)
    return best_hit


def _cap_weak_hit(index: MatchIndex, lookup_hit: LookupHit) -> LookupHit:
    """Hold a hit down where what agrees is thin; a ship or an aircraft is meant by its own name."""
    hit, entity = lookup_hit.hit, index.entity(lookup_hit.hit.position)
    # no limit lies below this score, so explaining the hit would be wasted time
    if to_whole_percent(hit.score) < PARTIAL_SCORE:
        return lookup_hit
    why = explain_score(query=lookup_hit.query, entity=entity, name=hit.name, weights=index.weights)
    thin = why.thin
    if entity.schema in CRAFT:
        thin = find_weak_craft_agreement(why, latin=lookup_hit.query.name.isascii())
        # find_weak_agreement checks this itself, find_weak_craft_agreement does not
        if thin is not None and is_corroborated(why.qualifiers, of=thin.code):
            thin = None
    return _hold_down(replace(lookup_hit, why=why), thin)


def _hold_down(lookup_hit: LookupHit, thin: WeakAgreement | None) -> LookupHit:
    """Return a hit that counts no more than what agrees is worth."""
    if thin is None or to_whole_percent(lookup_hit.hit.score) <= MOST_OF[thin.code]:
        return lookup_hit
    most = MOST_OF[thin.code] / 100
    cost = round(lookup_hit.hit.score - most, 4)
    return replace(lookup_hit, hit=replace(lookup_hit.hit, score=most), thin=thin, cost=cost)


def _iter_queries(
    subject: Subject, part: NamePart, identifiers: tuple[Identifier, ...], *, ships: bool = False
) -> Iterator[Query]:
    """Yield a query for a part of a name; where the text may name a ship, one more as of a ship."""
    schema = match_effects.schema_of_subject(subject)
    query = Query(
        name=part.text,
        birth_date=subject.birth_date,
        countries=(subject.nationality,) if subject.nationality else (),
        identifiers=identifiers,
        address=subject.address,
        known=schema,
    )
    yield query
    hint = part.schema_hint or ("Vessel" if ships else None)
    # a further query, never the only one: what a text calls itself must not narrow the search
    if schema == "Unknown" and hint is not None:
        yield replace(query, known=hint)


def _iter_tail_number_hits(
    index: MatchIndex, subject: Subject
) -> Iterator[tuple[Hit, str, Identifier]]:
    """Yield the aircraft that bear a tail number as their name, as lists print most of them."""
    for identifier in subject.identifiers:
        if identifier.kind != match_effects.TAIL:
            continue
        query = Query(name=identifier.value, schema="Aircraft")
        for hit in index.search(query, cutoff=PARTIAL_SCORE / 100, limit=SHOWN):
            names = index.entity(hit.position).names
            bearing = (
                listed_name.full
                for listed_name in names
                if match_effects.is_same_number(listed_name.full, identifier.value)
            )
            if name := next(bearing, ""):
                # a tail number is exact, though lists print it as a name
                yield replace(hit, score=1.0, name=name, exact=True), match_effects.TAIL, identifier


def _build_match(index: MatchIndex, subject: Subject, lookup_hit: LookupHit) -> ListMatch:
    entity, hit = index.entity(lookup_hit.hit.position), lookup_hit.hit
    why = lookup_hit.why
    if why is None and lookup_hit.identifier is None and hit.name:
        why = explain_score(
            query=lookup_hit.query, entity=entity, name=hit.name, weights=index.weights
        )
    known = lookup_hit.query.known or match_effects.schema_of_subject(subject)
    effects = match_effects.compute_effects(
        subject=subject,
        known=known,
        entity=entity,
        qualifiers=why.qualifiers if why else (),
        exact=lookup_hit.identifier,
        share=Decimal(str(hit.score)),
    )
    effect_descriptions = match_effects.describe_effects(
        known=known, entity=entity, match_effects=effects, exact=lookup_hit.identifier
    )
    notes = [
        *_describe_introduction(lookup_hit),
        *_describe_identifier(lookup_hit),
        *effect_descriptions,
        *match_effects.describe_measures(entity),
    ]
    if lookup_hit.thin:
        cost = MatchEffect(
            lookup_hit.thin.code, lookup_hit.thin.words, hit.name, -Decimal(str(lookup_hit.cost))
        )
        effects, notes = (
            (*effects, cost),
            [*notes, match_effects.describe_weak_agreement(lookup_hit.thin)],
        )
    return ListMatch(
        ref=hit.ref,
        dataset=hit.dataset,
        name=hit.name,
        score=to_whole_percent(hit.score),
        entity=entity,
        asked=lookup_hit.identifier.value if lookup_hit.identifier else lookup_hit.query.name,
        by=_found_by(lookup_hit.identifier, lookup_hit.named),
        part=lookup_hit.part.kind,
        effects=effects,
        notes=tuple(notes),
        explanation=why,
    )


def _describe_introduction(lookup_hit: LookupHit) -> Iterator[str]:
    if lookup_hit.identifier is None and lookup_hit.part.told:
        yield f"The name field gives {lookup_hit.part.text} as {lookup_hit.part.told}."


def _describe_identifier(lookup_hit: LookupHit) -> Iterator[str]:
    """Yield that the list has an identifier, under which kind, and why it may be another's."""
    if lookup_hit.identifier is not None:
        kind, printed = (
            match_effects.WORDS[lookup_hit.identifier.kind],
            match_effects.WORDS[lookup_hit.printed],
        )
        other = "" if printed == kind else f" as: {printed.lower()}"
        yield (
            f"{kind} {lookup_hit.identifier.value} is on the "
            f"list{other}{lookup_hit.doubt and '; '}{lookup_hit.doubt}."
        )


def _found_by(identifier: Identifier | None, named: bool) -> str:
    if identifier is not None:
        return identifier.kind.upper()
    return "NAME" if named else "ALIAS"


def match_peps(*, engine: Engine, subject: Subject) -> LookupResult:
    """Return politically exposed persons at 60% or more, best first, at most five.

    If there are none, those whose whole name occurs within a long text, such as a payroll's.
    """
    return _build_pep_matches(engine.pep, _search_peps(engine.pep, subject), subject, SHOWN)


def match_peps_in_index(*, index: MatchIndex, subject: Subject, most: int) -> LookupResult:
    """Return what `match_peps` finds in an index of some of them, `most` by a name."""
    return _build_pep_matches(index, _search_peps(index, subject, most), subject, None)


def find_pep_hits(*, index: MatchIndex, subject: Subject) -> BulkHits:
    """Return what `match_peps` finds, best first, with its scores and without evidence."""
    search = _search_peps(index, subject)
    return BulkHits(tuple(lookup_hit.hit for lookup_hit in search.ranked), tuple(search.unread))


def _build_pep_matches(
    index: MatchIndex, search: PepNameSearch, subject: Subject, most: int | None
) -> LookupResult:
    # PEPs are found by name and country alone: no effect may be shown that did not count
    bare = Subject(name=subject.name, aliases=subject.aliases)
    shown = [
        (_build_match(index, bare, lookup_hit), lookup_hit.hit.ref)
        for lookup_hit in search.ranked[:most]
    ]
    list_matches = (_mark_as_near(match) if ref in search.near else match for match, ref in shown)
    return LookupResult(tuple(list_matches), tuple(search.unread))


def _search_peps(index: MatchIndex, subject: Subject, most: int = SHOWN) -> PepNameSearch:
    search = PepNameSearch()
    best = search.best
    with search.within_budget():
        fields = search.read(subject)
        searched_parts = [(name, part) for name, field in fields.items() for part in field.searched]
        for name, part in searched_parts:
            query = Query(name=part.text, schema="Person")
            resembling_peps = pep_search.find_resembling_peps(
                index=index, name=part.text, limit=most, country=subject.nationality
            )
            for resembling_pep in resembling_peps:
                hit = resembling_pep.hit
                # at most one reading of foreign letters is right, so the others must not match
                if part.kind in READINGS:
                    hit = cap_part_score(hit, part)
                    if to_whole_percent(hit.score) < PEP_SCORE:
                        continue
                ref, rival = hit.ref, best.get(hit.ref)
                if rival is None or hit.score > rival.hit.score:
                    best[ref] = LookupHit(hit, query, part, name == subject.name)
                    (search.near.add if resembling_pep.near else search.near.discard)(ref)
        if not best:
            best |= {pep.hit.ref: pep for pep in _iter_peps_within(index, fields)}
    return search


def _iter_peps_within(index: MatchIndex, fields: Mapping[str, NameField]) -> Iterator[LookupHit]:
    """Yield politically exposed persons whose name occurs in a long text."""
    main = next(iter(fields), "")
    for name, field in fields.items():
        query = Query(name=field.parts[0].text, schema="Person")
        for listed_name in spot_listed_names(
            index=index, query=query, field=field, cutoff=PEP_SCORE / 100
        ):
            yield LookupHit(
                listed_name.hit,
                replace(query, name=listed_name.part.text),
                listed_name.part,
                name == main,
            )


def _mark_as_near(match: ListMatch) -> ListMatch:
    """Note why a PEP's score is lower than that of the name."""
    cost = MatchEffect("near", match.asked, match.name, -Decimal(str(pep_search.NEAR_COST)))
    note = "The name is only similar, and no country confirms the match."
    return replace(match, effects=(*match.effects, cost), notes=(*match.notes, note))
