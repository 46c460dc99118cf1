"""Facts about a pair of names for the rules: what agrees, and what is left. Pure."""

from dataclasses import dataclass, replace
from functools import cached_property

from apps.reference.names.payee import legal_forms, trailing_places
from apps.reference.names.payee.acronyms import is_acronym_of
from apps.reference.names.payee.alignment import Alignment, WordMatch, align_words
from apps.reference.names.payee.compared_names import ComparedName, build_compared_name
from apps.reference.names.payee.disguises import undisguise_word
from apps.reference.names.payee.likeness import is_common_given_name
from apps.reference.names.payee.values import How, PayeeName
from apps.reference.names.payee.word_roles import Role
from apps.reference.names.scripts.cjk import CJK_LETTER


@dataclass(frozen=True)
class PairFacts:
    """A pair of names: the submitted one, the registered one, and how their words agree.

    `is_cut`: the submitted name is the beginning of the registered one, truncated at a field
    length; then it is compared with that beginning, and `lost` are the roles of the words that are
    cut off completely.
    """

    submitted: ComparedName
    registered: ComparedName
    alignment: Alignment
    company: bool
    is_cut: bool = False
    lost: frozenset[Role] = frozenset()

    @property
    def sides(self) -> tuple[ComparedName, ComparedName]:
        """Both names."""
        return self.submitted, self.registered

    @cached_property
    def hows(self) -> tuple[How, ...]:
        """How the pairs of words agree, particles left out."""
        return tuple(match.likeness.how for match in self.alignment.matches if self._tells(match))

    @cached_property
    def share(self) -> float:
        """The share of the weight of both names that agrees, in 0..1."""
        agreed = total = 0.0
        for match in self.alignment.matches:
            heft = max(
                sum(self.submitted.weight(i) for i in match.submitted),
                sum(self.registered.weight(j) for j in match.registered),
            )
            agreed += heft * match.likeness.share
            total += heft
        total += sum(side.weight(i) for side in self.sides for i in side.left)
        return agreed / total if total else 0.0

    @cached_property
    def whole(self) -> tuple[tuple[int, int], ...]:
        """Places (submitted, registered) of words that agree and are more than initials."""
        return tuple(
            (match.submitted[0], match.registered[0])
            for match in self.alignment.matches
            if match.likeness.how != "initial"
            and not all(self.submitted.words[i].is_initial for i in match.submitted)
            and self._tells(match)
        )

    def _tells(self, match: WordMatch) -> bool:
        """Return whether a match is of more than particles."""
        ours = any(self.submitted.roles[i] != "particle" for i in match.submitted)
        return ours or any(self.registered.roles[j] != "particle" for j in match.registered)

    @cached_property
    def forms(self) -> legal_forms.Relation:
        """The relation of the legal forms."""
        one, other = (side.name for side in self.sides)
        native = one.native or other.native or one.foreign or other.foreign
        return legal_forms.relate_legal_forms(one.legal, other.legal, native=native)

    @cached_property
    def is_acronym(self) -> bool:
        """Whether one name is made of the first letters of the other's words."""
        if not self.company or self.whole:
            return False
        one, other = self.sides
        return is_acronym_of(one, other) or is_acronym_of(other, one)

    @cached_property
    def disguised(self) -> bool:
        """Whether a word looks like one of the other name, and is written in other signs."""
        one, other = self.sides
        if one.name.disguised != other.name.disguised:
            return True
        return _has_lookalike_word(one, other) or _has_lookalike_word(other, one)

    @cached_property
    def is_half_read(self) -> bool:
        """Whether a name agrees whose other words are in a script that translates them.

        In Chinese, Japanese, Korean and Arabic letters names are read, business words are not.
        """
        drawn = [bool(side.name.ideographs) or side.name.unvowelled for side in self.sides]
        drawn = [
            one or bool(CJK_LETTER.search(side.name.text))
            for one, side in zip(drawn, self.sides, strict=True)
        ]
        telling = any(self.submitted.roles[i] == "name" for i, _j in self.whole)
        return drawn[0] != drawn[1] and telling

    @property
    def is_omission(self) -> bool:
        """Whether one name has words that the other lacks, and not the other way round."""
        return bool(self.submitted.content_left) != bool(self.registered.content_left)

    @property
    def is_contradiction(self) -> bool:
        """Whether both names have words that the other lacks."""
        return bool(self.submitted.content_left and self.registered.content_left)

    @property
    def longer(self) -> ComparedName:
        """The name that has words left over; the registered one where neither has."""
        return self.submitted if self.submitted.content_left else self.registered

    @property
    def shorter(self) -> ComparedName:
        """The other one."""
        return self.registered if self.longer is self.submitted else self.submitted


def build_pair_facts(submitted: PayeeName, registered: PayeeName) -> PairFacts:
    """Return the facts about a pair of names."""
    # both from the names as given: a repaired one must not serve to repair the other
    submitted, registered = (
        _repair_legal_form(submitted, registered),
        _repair_legal_form(registered, submitted),
    )
    company = _are_companies(submitted, registered)
    left, right = (
        build_compared_name(submitted, registered, company=company),
        build_compared_name(registered, submitted, company=company),
    )
    found = align_words(
        left.words,
        right.words,
        company=company,
        unvowelled=submitted.unvowelled + registered.unvowelled,
    )
    return PairFacts(
        replace(left, left=found.submitted_left),
        replace(right, left=found.registered_left),
        found,
        company,
    )


def build_truncated_facts(submitted: PayeeName, lost: frozenset[Role]) -> PairFacts:
    """Return the facts about a name that is the truncated beginning of the registered one."""
    # the name against itself: the rest of the registered one is not there to be compared
    return replace(build_pair_facts(submitted, submitted), is_cut=True, lost=lost)


def _repair_legal_form(name: PayeeName, other: PayeeName) -> PayeeName:
    """Return a name with the legal form of the other one, if it has that with a slip of the pen."""
    if name.legal or not other.legal or len(name.words) < 2:
        return name
    plain = [word.plain for word in name.words]
    if found := legal_forms.find_leading_form(plain, other.legal):
        return replace(name, words=name.words[found.end :], legal=other.legal, company=True)
    found = legal_forms.find_misspelt_form(plain, other.legal)
    if found is None:
        return name
    words = (*name.words[: found.start], *name.words[found.end :])
    return replace(name, words=words, legal=other.legal, slipped=True, company=True)


def _are_companies(payee_name: PayeeName, other: PayeeName) -> bool:
    """Return whether a pair is compared as companies: one is, or neither can be a person."""
    if payee_name.company or other.company or max(len(payee_name.words), len(other.words)) < 2:
        return True
    if any(
        name.words and all(word.is_initial for word in name.words) and name.words[-1].tied
        for name in (payee_name, other)
    ):
        return True  # letters that a sign joins, and nothing else: `J&J`
    if min(len(payee_name.words), len(other.words)) != 1:
        return _differ_by_place_only(payee_name, other)
    sides = (
        build_compared_name(payee_name, other, company=True),
        build_compared_name(other, payee_name, company=True),
    )
    return is_acronym_of(*sides) or is_acronym_of(*reversed(sides))


def _differ_by_place_only(payee_name: PayeeName, other: PayeeName) -> bool:
    """Return whether a name is the other one and a place, and does not begin with a given name."""
    rows = [[word.plain for word in name.words] for name in (payee_name, other)]
    if not all(rows) or any(is_common_given_name(row[0]) for row in rows):
        return False
    return trailing_places.is_name_with_place(*rows) or trailing_places.is_name_with_place(
        *reversed(rows)
    )


def _has_lookalike_word(compared_name: ComparedName, other: ComparedName) -> bool:
    read = {undisguise_word(compared_name.words[i]) for i in compared_name.left} - {""}
    return bool(read & {other.words[j].plain for j in other.left})
