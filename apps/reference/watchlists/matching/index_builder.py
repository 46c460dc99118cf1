"""Builds the files of a match index from a stream of entries."""

import json
from array import array
from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from apps.reference.names.scripts.phonetics import ABJAD
from apps.reference.watchlists.listed_entity import ListedEntity, Schema
from apps.reference.watchlists.matching.identifiers import compute_identifier_key
from apps.reference.watchlists.matching.index_digests import seal_directory
from apps.reference.watchlists.matching.mapped_files import (
    StringWriter,
    hash_text,
    save_mapped_rows,
    save_multimap,
)
from apps.reference.watchlists.matching.name_normalization import (
    Group,
    NormalizedName,
    normalize_name,
)
from apps.reference.watchlists.matching.similarity import build_token_from_facts
from apps.reference.watchlists.matching.skeletons import Bones, compute_bones
from apps.reference.watchlists.matching.token_keys import compute_listed_keys
from apps.reference.watchlists.matching.token_weights import (
    TokenFacts,
    estimate_prior,
    has_place_sense,
    hash_senses,
    is_particle,
    senses_of_token,
    weigh_token,
)
from apps.reference.watchlists.matching.transcriptions import sounds_of_token
from apps.reference.watchlists.matching.truncated_names import list_beginning_keys

Lent = Callable[[Group, str], TokenFacts]

FORMAT = 17
GROUPS: tuple[Group, ...] = ("person", "thing")
SCHEMAS: tuple[Schema, ...] = ("Person", "Organization", "Vessel", "Aircraft", "Unknown")


@dataclass(frozen=True, slots=True)
class IndexEntry:
    """One listed party for the index, under our stable reference, e.g. `ofac:36`."""

    ref: str
    dataset: str
    entity: ListedEntity


def build_index(
    *,
    entries: Iterable[IndexEntry],
    directory: Path,
    progress: Callable[[int], None] | None = None,
    lent: Lent | None = None,
) -> None:
    """Write the index of `entries` into `directory`, which is made and must be empty.

    With `lent` tokens weigh what they do elsewhere: an index of a few of a list's parties then
    scores as the index of the whole list does. Entities stream to disk; what stays in memory is a
    few integers per name and the vocabulary.
    """
    directory.mkdir(parents=True, exist_ok=True)
    if any(directory.iterdir()):
        raise ValueError(f"the directory of a new index must be empty: {directory}")
    vocabulary: dict[str, int] = {}
    groups = {group: _GroupWriter(group, vocabulary, lent) for group in GROUPS}
    entities = StringWriter(directory=directory, name="entities")
    keys, positions = array("I"), array("i")
    beginnings, begun = array("I"), array("i")
    for position, entry in enumerate(entries):
        entities.append(encode_entry(entry))
        entity = entry.entity
        wanted: tuple[Group, ...] = GROUPS
        if entity.schema != "Unknown":
            wanted = ("person",) if entity.schema == "Person" else ("thing",)
        for group in wanted:
            forms = [
                (normalize_name(name=name.full, group=group), name.weak) for name in entity.names
            ]
            groups[group].add(position, SCHEMAS.index(entity.schema), forms)
        for identifier in entry.entity.identifiers:
            keys.append(compute_identifier_key(identifier))
            positions.append(position)
        if entry.entity.schema != "Person":
            strong = (name.full for name in entry.entity.names if not name.weak)
            for key in {key for name in strong for key in list_beginning_keys(name)}:
                beginnings.append(key)
                begun.append(position)
        if progress:
            progress(position + 1)
    entities.close()
    save_multimap(directory=directory, name="identifiers", keys=keys, values=positions)
    save_multimap(directory=directory, name="beginnings", keys=beginnings, values=begun)
    senses = [writer.save(directory, len(vocabulary)) for writer in groups.values()]
    _save_vocabulary(directory / "vocabulary", vocabulary, senses)
    meta = {"format": FORMAT, "names": {group: groups[group].parties for group in GROUPS}}
    (directory / "meta.json").write_text(json.dumps(meta))
    seal_directory(directory)


def encode_entry(entry: IndexEntry) -> bytes:
    """Return the entry as it is kept in the blob: what is empty is left out."""
    body = {"ref": entry.ref, "dataset": entry.dataset, "entity": _non_empty_fields(entry.entity)}
    text = json.dumps(body, ensure_ascii=False, separators=(",", ":"), default=_non_empty_fields)
    return text.encode("utf-8", "replace")


def _non_empty_fields(value: Any) -> dict[str, Any]:
    held = {field.name: getattr(value, field.name) for field in fields(value)}
    return {name: content for name, content in held.items() if content}


def _save_vocabulary(
    folder: Path, vocabulary: dict[str, int], senses: "list[dict[int, frozenset[int]]]"
) -> None:
    """Write how each token is spelt and sounds, and the keys it is filed under.

    What is compared with a script without vowels, or with what is written by its sound, many
    tokens have in common: it is kept once.
    """
    folder.mkdir()
    spellings = StringWriter(directory=folder, name="spellings")
    bones: dict[Bones, int] = {}
    boned, sounded = array("i"), array("i")
    sounds: dict[tuple[str, ...], int] = {}
    keys, key_tokens = array("I"), array("i")
    for text, number in vocabulary.items():
        meant = frozenset[int]().union(*(group.get(number, ()) for group in senses))
        token = build_token_from_facts(
            text=text, facts=TokenFacts(weight=0.0, count=0, senses=meant)
        )
        # four fields between blanks, as `Vocabulary.spelling` splits them; a token has no blank
        spellings.append(f"{text} {token.fold} {token.bones} {token.key}".encode())
        boned.append(bones.setdefault(compute_bones(text), len(bones)))
        heard = () if text[0] == ABJAD else sounds_of_token(text)
        sounded.append(sounds.setdefault(heard, len(sounds)))
        filed = compute_listed_keys(token)
        keys.extend(filed)
        key_tokens.extend([number] * len(filed))
    spellings.close()
    for name, distinct in (("bones", bones), ("sounds", sounds)):
        texts = StringWriter(directory=folder, name=name)
        for some in distinct:
            texts.append(" ".join(some).encode())
        texts.close()
    np.save(folder / "boned.npy", np.asarray(boned, dtype=np.int32))
    np.save(folder / "sounded.npy", np.asarray(sounded, dtype=np.int32))
    unvowelled = np.fromiter((text[0] == ABJAD for text in vocabulary), np.bool_)
    np.save(folder / "unvowelled.npy", unvowelled)
    save_multimap(directory=folder, name="near", keys=keys, values=key_tokens)
    exact = [hash_text(text) for text in vocabulary]
    save_multimap(directory=folder, name="exact", keys=exact, values=range(len(exact)))


class _GroupWriter:
    """Collects the names of one group: their tokens, and which party bears them.

    The tokens are numbered together with those of the other group.
    """

    def __init__(self, group: Group, vocabulary: dict[str, int], lent: Lent | None) -> None:
        self.group = group
        self._lent = lent
        self.parties = 0
        self._vocabulary = vocabulary
        self._counts: dict[int, int] = {}
        self._tokens = array("i")
        self._starts = array("q", [0])
        self._entities, self._numbers = array("i"), array("h")
        self._schemas, self._weak, self._aside = array("B"), array("B"), array("i")
        self._set_aside: dict[tuple[tuple[str, ...], str], int] = {}
        self._run_keys, self._run_names = array("I"), array("i")

    def add(self, position: int, schema: int, forms: list[tuple[NormalizedName, bool]]) -> None:
        """Add the names of one party, and of each whether the list calls it weak."""
        self.parties += 1
        for number, (form, weak) in enumerate(forms):
            if form.tokens:
                self._add_name(position, number, form)
                self._schemas.append(schema)
                self._weak.append(weak)
        for text in {text for form, _weak in forms for text in form.tokens}:
            # once per party: its aliases must not make a token common
            number = self._vocabulary[text]
            self._counts[number] = self._counts.get(number, 0) + 1

    def _add_name(self, position: int, number: int, form: NormalizedName) -> None:
        name = len(self._entities)
        for text in form.tokens:
            self._tokens.append(self._vocabulary.setdefault(text, len(self._vocabulary)))
        self._starts.append(len(self._tokens))
        self._entities.append(position)
        self._numbers.append(number)
        aside = (form.legal, form.ideographs)
        self._aside.append(self._set_aside.setdefault(aside, len(self._set_aside)))
        for run in join_token_runs(form.tokens):
            self._run_keys.append(hash_text(run))
            self._run_names.append(name)

    def save(self, directory: Path, size: int) -> dict[int, frozenset[int]]:
        """Write the files of the group, whose vocabulary has `size` tokens; return their senses."""
        folder = directory / self.group
        folder.mkdir()
        heavy, senses = self._save_facts(folder, size)
        tokens = np.asarray(self._tokens, dtype=np.int32)
        starts = np.asarray(self._starts, dtype=np.int64)
        save_mapped_rows(directory=folder, name="tokens", flat=tokens, starts=starts)
        names = np.repeat(np.arange(len(starts) - 1, dtype=np.int64), np.diff(starts))
        # token and name packed into one integer: sorting and removing repetitions in one pass
        pairs = np.unique((tokens.astype(np.int64) << 32) | names)
        held = (pairs >> 32).astype(np.int32)
        edges = np.searchsorted(held, np.arange(size + 1))
        flat = (pairs & 0xFFFFFFFF).astype(np.int32)
        save_mapped_rows(directory=folder, name="postings", flat=flat, starts=edges)
        # summed in double precision: the difference of two large sums would lose digits otherwise
        sums = np.concatenate(([0.0], np.cumsum(heavy[tokens], dtype=np.float64)))
        np.save(folder / "heft.npy", (sums[starts[1:]] - sums[starts[:-1]]).astype(np.float32))
        np.save(folder / "entities.npy", np.asarray(self._entities, dtype=np.int32))
        np.save(folder / "numbers.npy", np.asarray(self._numbers, dtype=np.int16))
        np.save(folder / "schemas.npy", np.asarray(self._schemas, dtype=np.uint8))
        np.save(folder / "weak.npy", np.asarray(self._weak, dtype=np.uint8))
        np.save(folder / "aside.npy", np.asarray(self._aside, dtype=np.int32))
        (folder / "aside.json").write_text(json.dumps(list(self._set_aside)))
        save_multimap(directory=folder, name="runs", keys=self._run_keys, values=self._run_names)
        return senses

    def _save_facts(
        self, folder: Path, size: int
    ) -> "tuple[np.ndarray, dict[int, frozenset[int]]]":
        """Write what is known of each token; return the weights, and the senses where any."""
        weights, places = np.zeros(size, np.float32), np.zeros(size, np.uint8)
        counts = np.zeros(size, np.int32)
        senses: dict[int, frozenset[int]] = {}
        for text, number in self._vocabulary.items():
            count = self._counts.get(number, 0)
            if count:
                facts = self._facts(text, count)
                weights[number], places[number] = facts.weight, facts.place
                counts[number] = facts.count
                if facts.senses:
                    senses[number] = facts.senses
        lengths = [len(senses.get(number, ())) for number in range(size)]
        save_mapped_rows(
            directory=folder,
            name="senses",
            flat=np.fromiter(
                (one for number in sorted(senses) for one in senses[number]), np.int32
            ),
            starts=np.concatenate(([0], np.cumsum(lengths, dtype=np.int64))),
        )
        np.save(folder / "places.npy", places)
        np.save(folder / "counts.npy", counts)
        np.save(folder / "weights.npy", weights)
        return weights, senses

    def _facts(self, text: str, count: int) -> TokenFacts:
        if self._lent is not None:
            found = self._lent(self.group, text)
            return replace(found, count=found.count or count)
        senses = senses_of_token(token=text, group=self.group)
        base = estimate_prior(token=text, group=self.group, senses=senses)
        heaviness = weigh_token(
            token=text, group=self.group, count=count, names=self.parties, base=base
        )
        return TokenFacts(
            weight=heaviness,
            count=count,
            senses=hash_senses(senses),
            place=has_place_sense(senses),
            particle=is_particle(text, self.group),
        )


def join_token_runs(tokens: tuple[str, ...]) -> set[str]:
    """Return what a name reads run together: each two neighbouring tokens, and the whole of it.

    A name of one token is filed by that, unless it is a single letter.
    """
    if len(tokens) < 2:
        return {token for token in tokens if len(token.lstrip(ABJAD)) < 2}
    pairs = {one + other for one, other in pairwise(tokens)}
    return {run for run in pairs if len(run) >= 5} | {"".join(tokens)}
