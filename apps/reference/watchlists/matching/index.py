"""The match index: files mapped into memory, searched by name or exact identifier."""

import json
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from heapq import nlargest
from itertools import pairwise
from pathlib import Path
from typing import Any, Self, TypeVar

from apps.reference.watchlists.listed_entity import (
    Identifier,
    ListedEntity,
    ListedName,
    Position,
    Schema,
)
from apps.reference.watchlists.matching.alignment import WeightedName
from apps.reference.watchlists.matching.attribute_agreement import (
    MOST,
    KnownFacts,
    QualifiedScore,
    adjust_score_by_attributes,
)
from apps.reference.watchlists.matching.candidates import GroupIndex, ScoreFloor, SoughtName
from apps.reference.watchlists.matching.identifiers import (
    compute_identifier_key,
    normalize_identifier,
)
from apps.reference.watchlists.matching.index_builder import FORMAT, GROUPS, IndexEntry, build_index
from apps.reference.watchlists.matching.index_digests import IndexDamaged, verify_directory
from apps.reference.watchlists.matching.mapped_files import MappedMultimap, MappedStrings
from apps.reference.watchlists.matching.name_normalization import (
    Group,
    NormalizedName,
    normalize_name,
)
from apps.reference.watchlists.matching.scoring_profile import get_match_profile
from apps.reference.watchlists.matching.similarity import (
    Sound,
    build_token_from_facts,
    compute_sound,
)
from apps.reference.watchlists.matching.token_index import Vocabulary
from apps.reference.watchlists.matching.token_weights import TokenFacts, TokenWeights
from apps.reference.watchlists.matching.truncated_names import (
    Beginning,
    compute_beginning_key,
    find_beginning,
)

__all__ = ["Hit", "IndexEntry", "MatchIndex", "Query", "build_index"]


SOUGHT_FROM = 0.3  # to go through all that is even less alike doubles the work
LOOKED_UP = 64  # names whose tokens an index keeps as they were looked up
KEPT = 4096  # answers of an index that a process keeps
Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class Query:
    """The party to look for. `countries` are those known of the party, never a destination.

    `schema` narrows the search to parties of that type. `known` narrows nothing: it is the type
    that the party is known to be, `Unknown` where it is not stated, and a hit that contradicts it
    is limited by `type_conflicts`; None leaves types unjudged.
    """

    name: str
    schema: Schema | None = None
    birth_date: str = ""
    countries: tuple[str, ...] = ()
    identifiers: tuple[Identifier, ...] = ()
    address: str = ""
    known: Schema | None = None


@dataclass(frozen=True, slots=True)
class Hit:
    """A listed party found: its best name and how likely it is the party of the query, 0..1."""

    ref: str
    dataset: str
    score: float
    name: str
    position: int
    exact: bool = False


class MatchIndex:
    """An opened index: files that processes map together.

    `lender` is the index whose facts its tokens were built with (`index_builder.Lent`): it provides
    those that this one lacks.
    """

    GROUP = GroupIndex

    def __init__(
        self, *, directory: Path, profile: str = "list", lender: "MatchIndex | None" = None
    ) -> None:
        meta = json.loads((directory / "meta.json").read_text())
        if meta["format"] != FORMAT:
            raise ValueError(f"match index of another format: {meta['format']}")
        self._entities = MappedStrings(directory=directory, name="entities")
        self._identifiers = MappedMultimap(directory=directory, name="identifiers")
        self._beginnings = MappedMultimap(directory=directory, name="beginnings")
        self._vocabulary = Vocabulary(directory=directory / "vocabulary")
        self._groups: dict[Group, GroupIndex] = {}
        own = TokenWeights(names=meta["names"], listed=self._listed, profile=profile)
        self.weights: TokenWeights = lender.weights if lender else own
        self._unseen = lender.weights.facts if lender else own.unlisted
        for group in GROUPS:
            self._groups[group] = self.GROUP(
                directory=directory / group,
                group=group,
                vocabulary=self._vocabulary,
                prices=get_match_profile(profile),
                persons=self._groups.get("person"),
            )
        self._entry = lru_cache(maxsize=4096)(self._read)
        # a name is sought several times over: once more where its hits say little, or as a ship's
        self._sought = lru_cache(maxsize=LOOKED_UP)(self._look_up)
        self._answers: dict[Hashable, Any] = {}

    @classmethod
    def open(
        cls, directory: Path, *, profile: str = "list", lender: "MatchIndex | None" = None
    ) -> Self:
        """Map the index in `directory` once its files are found whole; raises IndexDamaged.

        Raises ValueError for an unknown profile.
        """
        # before mapping: a zeroed page would lose names without any error
        verify_directory(directory)
        try:
            return cls(directory=directory, profile=profile, lender=lender)
        except OSError as error:  # another process has just moved it away
            raise IndexDamaged(f"{directory.name} went away while it was opened") from error

    def __len__(self) -> int:
        return len(self._entities)

    def once(self, question: Hashable, answer: Callable[[], Answer]) -> Answer:
        """Return the cached answer to a question; the index files never change.

        `question` has everything else that the answer depends on. Each index has its own cache, so
        that no answer comes from older lists.
        """
        if question in self._answers:
            found: Answer = self._answers[question]
            return found
        made = answer()
        # all at once: cheaper on each call than tracking which answer was used last
        if len(self._answers) >= KEPT:
            self._answers.clear()
        self._answers[question] = made
        return made

    def entity(self, position: int) -> ListedEntity:
        """Return the listed party at `position`, as it was given to `build_index`."""
        return self._entry(position).entity

    def search(
        self, query: Query, *, cutoff: float = 0.45, limit: int = 20, contradicted: bool = False
    ) -> list[Hit]:
        """Return the listed parties that score at least `cutoff`, best first, at most `limit`.

        Scores below 0.3 are not searched for, but returned if found. With `contradicted` also
        those whose name alone reaches `cutoff`, at their reduced score.
        """
        raised = bool(query.birth_date or query.countries or query.address)
        # attributes may raise a score by `MOST`, so names that much below the cutoff still count
        least = cutoff - MOST if raised else cutoff
        score_floor = ScoreFloor(least)
        names: dict[int, tuple[float, Group, int]] = {}
        finals: dict[int, float] = {}
        for sought in self._sought(query.name, query.schema):
            group = sought.form.group
            for position, number, score in self._groups[group].search(
                sought=sought,
                schema=query.schema,
                cutoff=max(least, SOUGHT_FROM),
                wanted=score_floor,
            ):
                if score < score_floor.score or not _is_better_name(
                    (score, group, number), names, position
                ):
                    continue
                names[position] = score, group, number
                finals[position] = self._final(query, position, score)
                # without what raises a score, no name ends above what it scores by itself
                if not raised and 0 < limit <= len(finals):
                    score_floor.score = max(least, nlargest(limit, finals.values())[-1])
        hits = self._exact_hits(query.identifiers)
        for position, (score, _group, number) in names.items():
            # `contradicted` keeps a hit that facts reduced below the cutoff
            told = score if contradicted else finals[position]
            if told >= cutoff and position not in hits:
                hits[position] = self._hit(position, finals[position], number)
        ranked = sorted(hits.values(), key=lambda hit: (-hit.score, hit.ref))
        return ranked[:limit]

    def _look_up(self, name: str, schema: Schema | None) -> list[SoughtName]:
        """Return the name as each group reads it, its tokens looked up for all groups at once."""
        written = {
            group: normalize_name(name=name, group=group) for group in possible_groups(schema)
        }
        runs = {one + other for form in written.values() for one, other in pairwise(form.tokens)}
        texts = {text for form in written.values() for text in form.tokens}
        known = self._vocabulary.known([*texts, *runs])
        sounds = {text: known[text][1] if text in known else compute_sound(text) for text in texts}
        forms = [self._form(group, form, known, sounds) for group, form in written.items()]
        tokens = {t.text: t for form in forms for t in form.tokens if len(t.text) > 1}
        places = {text: place for place, text in enumerate(tokens)}
        # with one group its counts leave out tokens of the other before any comparison
        counts = self._groups[forms[0].group].counts if len(forms) == 1 else None
        kin = self._vocabulary.kin(list(tokens.values()), counts)
        return [SoughtName(form, known, places, kin) for form in forms]

    def _form(
        self,
        group: Group,
        written: NormalizedName,
        known: dict[str, tuple[int, Sound]],
        sounds: dict[str, Sound],
    ) -> WeightedName:
        tokens = []
        for text in written.tokens:
            facts = self._groups[group].facts(known[text][0], text) if text in known else None
            facts = facts or self._unseen(token=text, group=group)
            tokens.append(build_token_from_facts(text=text, facts=facts, sound=sounds[text]))
        return WeightedName(
            tokens=tuple(tokens),
            legal=written.legal,
            group=group,
            ideographs=written.ideographs,
        )

    def listed(self, words: Sequence[str]) -> set[str]:
        """Return those words that some listed name has, spelt so."""
        return set(self._vocabulary.known(words))

    def run_together(self, words: Sequence[str]) -> set[str]:
        """Return those words that are a listed name of several words without its blanks."""
        held = (self._groups[group].run_together(words) for group in GROUPS)
        return {words[place] for places in held for place in places}

    def whole(self, *, group: Group, runs: Sequence[Sequence[str]]) -> list[int]:
        """Return the places of those runs of tokens that are a whole listed name, in any turn.

        `Kim Jong Un` and `Jong Un Kim` are turns of one another.
        """
        held = self._groups[group]
        turned = [(place, turn) for place, run in enumerate(runs) for turn in _join_rotations(run)]
        found = held.whole([text for _, text in turned], [len(runs[place]) for place, _ in turned])
        singles = {run[0]: place for place, run in enumerate(runs) if len(run) == 1}
        known = self._vocabulary.known(list(singles))
        alone = {singles[text] for text, (number, _) in known.items() if held.is_alone(number)}
        return sorted({turned[at][0] for at in found} | alone)

    def search_exact(self, *, kind: str, value: str) -> list[Hit]:
        """Return the listed parties with this LEI, IMO number, BIC, wallet and so on, at 1.0."""
        return list(self._exact_hits((Identifier(kind=kind, value=value),)).values())

    def search_beginning(self, line: str) -> list[tuple[Hit, Beginning]]:
        """Return the parties whose name begins with a line, and the part on that line."""
        found: dict[int, tuple[Hit, Beginning]] = {}
        for position in self._beginnings.get([compute_beginning_key(line)]).tolist():
            entry = self._entry(position)
            for name in entry.entity.names:
                # the key is a hash of the first letters only, so each name is compared in full
                beginning = None if name.weak else find_beginning(line, name.full)
                if beginning and position not in found:
                    hit = Hit(entry.ref, entry.dataset, 1.0, name.full, position)
                    found[position] = hit, beginning
        return list(found.values())

    def _exact_hits(self, identifiers: tuple[Identifier, ...]) -> dict[int, Hit]:
        hits = {}
        for identifier in identifiers:
            for position in self._identifiers.get([compute_identifier_key(identifier)]).tolist():
                # keys are 32-bit hashes: compare the value, as another may share its key
                wanted = normalize_identifier(kind=identifier.kind, value=identifier.value)
                has_identifier = bool(wanted) and any(
                    one.kind == identifier.kind
                    and normalize_identifier(kind=one.kind, value=one.value) == wanted
                    for one in self.entity(position).identifiers
                )
                if has_identifier:
                    hits[position] = self._hit(position, 1.0, 0, exact=True)
        return hits

    def _hit(self, position: int, score: float, number: int, *, exact: bool = False) -> Hit:
        entry = self._entry(position)
        names = entry.entity.names
        name = names[number].full if names else ""
        return Hit(entry.ref, entry.dataset, score, name, position, exact)

    def _final(self, query: Query, position: int, score: float) -> float:
        told = query.birth_date or query.countries or query.identifiers or query.address
        if not told and query.known is None:
            return score
        return qualify_hit_score(query, self.entity(position), score).score

    def _listed(self, group: Group, token: str) -> TokenFacts | None:
        found = self._vocabulary.known([token]).get(token)
        return self._groups[group].facts(found[0], token) if found else None

    def _read(self, position: int) -> IndexEntry:
        body = json.loads(self._entities[position])
        entity = body["entity"]
        for field, kind in (
            ("names", ListedName),
            ("identifiers", Identifier),
            ("positions", Position),
            ("false_identifiers", Identifier),
        ):
            entity[field] = tuple(kind(**one) for one in entity.get(field, ()))
        for field in (
            *("countries", "birth_dates", "programs", "addresses"),
            *("birth_notes", "measures"),
        ):
            entity[field] = tuple(entity.get(field, ()))
        return IndexEntry(ref=body["ref"], dataset=body["dataset"], entity=ListedEntity(**entity))


def _is_better_name(
    name: tuple[float, Group, int], best: Mapping[int, tuple[float, Group, int]], position: int
) -> bool:
    """Tell whether a name of a party scores more than its best so far, or as much and is first."""
    score, group, number = name
    known, of, first = best.get(position, (0.0, group, number))
    return score > known or (score == known != 0.0 and group == of and number < first)


def qualify_hit_score(query: Query, entity: ListedEntity, score: float) -> QualifiedScore:
    """Return the score of a name moved by what else is known of the query and the listed party."""
    known = KnownFacts(
        birth_date=query.birth_date,
        countries=query.countries,
        identifiers=query.identifiers,
        address=query.address,
        schema=query.known,
    )
    return adjust_score_by_attributes(score=score, known=known, entity=entity)


def _join_rotations(tokens: Sequence[str]) -> set[str]:
    """Return the tokens run together, also with the first behind and with the last in front."""
    if len(tokens) < 2:
        return set()
    whole, first, last = "".join(tokens), tokens[0], tokens[-1]
    return {whole, whole[len(first) :] + first, last + whole[: -len(last)]}


def possible_groups(schema: Schema | None) -> tuple[Group, ...]:
    """Return the groups in which a party of this schema may be: both, when it is not known."""
    if schema in (None, "Unknown"):
        return GROUPS
    return ("person",) if schema == "Person" else ("thing",)
