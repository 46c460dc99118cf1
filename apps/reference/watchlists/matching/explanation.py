"""Why a name scored as it did: the same computation as the search, laid open."""

from dataclasses import asdict, dataclass
from typing import Any

from apps.reference.names.scripts.abjad import is_abjad
from apps.reference.names.scripts.script_detection import are_read_in_latin
from apps.reference.watchlists.listed_entity import ListedEntity
from apps.reference.watchlists.matching.alignment import (
    Alignment,
    WeightedName,
    align_tokens,
    build_weighted_name,
)
from apps.reference.watchlists.matching.attribute_agreement import Qualifier
from apps.reference.watchlists.matching.edit_costs import Kind
from apps.reference.watchlists.matching.index import Query, possible_groups, qualify_hit_score
from apps.reference.watchlists.matching.name_normalization import Group
from apps.reference.watchlists.matching.score import calibrate_score, judge_alignment
from apps.reference.watchlists.matching.scoring_profile import get_match_profile
from apps.reference.watchlists.matching.similarity import compare_tokens
from apps.reference.watchlists.matching.token_weights import TokenWeights
from apps.reference.watchlists.matching.weak_agreement import WeakAgreement, find_weak_agreement


@dataclass(frozen=True, slots=True)
class TokenMatch:
    """Tokens of the query found in the listed name: how alike, in what way, and their weight."""

    query: str
    listed: str
    similarity: float
    kind: Kind
    weight: float
    listed_weight: float


@dataclass(frozen=True, slots=True)
class LeftoverToken:
    """A token without counterpart, and its weight."""

    token: str
    weight: float


@dataclass(frozen=True, slots=True)
class ScoreStep:
    """Why the raw score is not the plain share of agreement, and by how much it moved.

    `what` is contradiction, single_shared_name, single_shared_word, no_telling_token,
    other_characters, other_reading, parent, first_surname, other_given_name (ceilings),
    run_together (a floor), number, legal_form, place or order (conflicts).
    """

    what: str
    effect: float


@dataclass(frozen=True, slots=True)
class Explanation:
    """Everything that made the score of one listed name against one query.

    `thin` says why what agrees is too little to mean a party, None where it is enough or confirmed.
    """

    name: str
    group: Group
    matches: tuple[TokenMatch, ...]
    query_left: tuple[LeftoverToken, ...]
    listed_left: tuple[LeftoverToken, ...]
    query_legal_forms: tuple[str, ...]
    listed_legal_forms: tuple[str, ...]
    share: float
    steps: tuple[ScoreStep, ...]
    raw: float
    weak_alias: bool
    thin: WeakAgreement | None
    qualifiers: tuple[Qualifier, ...]
    name_score: float
    score: float

    def as_dict(self) -> dict[str, Any]:
        """Return plain values, fit for JSON."""
        return asdict(self)


def explain_score(
    *, query: Query, entity: ListedEntity, name: str, weights: TokenWeights
) -> Explanation:
    """Return why `query` scored as it did against `name` of `entity`; equals the search score."""
    groups = [
        group for group in possible_groups(query.schema) if group in possible_groups(entity.schema)
    ]
    return max(
        (
            _explain_in_group(query, entity, name, weights, group)
            # an exact hit may be of a type that the query leaves out: it is explained as that type
            for group in groups or possible_groups(entity.schema)
        ),
        key=lambda explanation: explanation.score,
    )


def _explain_in_group(
    query: Query, entity: ListedEntity, name: str, weights: TokenWeights, group: Group
) -> Explanation:
    prices = get_match_profile(weights.profile)
    weighted_name = build_weighted_name(name=query.name, group=group, weights=weights)
    right = build_weighted_name(name=name, group=group, weights=weights)
    pairs = compare_tokens(left=weighted_name.tokens, right=right.tokens, group=group)
    alignment = align_tokens(query=weighted_name, listed=right, likenesses=pairs)
    judgement = judge_alignment(alignment, prices)
    # a name that is listed twice is weak only if both entries are
    weak_flags = [listed.weak for listed in entity.names if listed.full == name]
    weak = bool(weak_flags) and all(weak_flags)
    name_score = calibrate_score(raw=judgement.raw, weak=weak, prices=prices)
    qualified = qualify_hit_score(query, entity, name_score)
    return Explanation(
        name=name,
        group=group,
        matches=_describe_matches(alignment),
        query_left=_describe_leftovers(weighted_name, alignment.query_left),
        listed_left=_describe_leftovers(right, alignment.listed_left),
        query_legal_forms=weighted_name.legal,
        listed_legal_forms=right.legal,
        share=judgement.share,
        steps=tuple(ScoreStep(what, effect) for what, effect in judgement.steps),
        raw=judgement.raw,
        weak_alias=weak,
        thin=find_weak_agreement(
            alignment=alignment,
            weights=weights,
            read_in_latin=are_read_in_latin(query.name, name),
            spelt_otherwise=_has_latin_spelling(query, entity, name),
            qualifiers=qualified.qualifiers,
        ),
        qualifiers=qualified.qualifiers,
        name_score=name_score,
        score=qualified.score,
    )


def _has_latin_spelling(query: Query, entity: ListedEntity, name: str) -> bool:
    """Return whether a name in letters without vowels has a spelling in Latin ones on the list.

    A query in Latin letters is compared with that.
    """
    if is_abjad(query.name) or not is_abjad(name):
        return False
    return any(one.full.isascii() for one in entity.names)


def _describe_matches(alignment: Alignment) -> tuple[TokenMatch, ...]:
    left, right = alignment.query.tokens, alignment.listed.tokens
    return tuple(
        TokenMatch(
            query=" ".join(left[i].text for i in match.query),
            listed=" ".join(right[j].text for j in match.listed),
            similarity=match.similarity,
            kind=match.kind,
            weight=sum(left[i].weight for i in match.query),
            listed_weight=sum(right[j].weight for j in match.listed),
        )
        for match in alignment.matches
    )


def _describe_leftovers(
    form: WeightedName, positions: tuple[int, ...]
) -> tuple[LeftoverToken, ...]:
    return tuple(LeftoverToken(form.tokens[i].text, form.tokens[i].weight) for i in positions)
