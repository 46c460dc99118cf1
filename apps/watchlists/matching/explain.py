"""Why a name scored as it did: the same computation as the search, laid open."""

from dataclasses import asdict, dataclass
from typing import Any

from apps.watchlists.matching.alignment import Alignment, Form, align, form_of
from apps.watchlists.matching.edits import Kind
from apps.watchlists.matching.index import Query, groups_of, qualified_score
from apps.watchlists.matching.lexicon import TokenWeights
from apps.watchlists.matching.lone import Thin, thin
from apps.watchlists.matching.names import Group
from apps.watchlists.matching.profile import profile_of
from apps.watchlists.matching.qualifiers import Qualifier
from apps.watchlists.matching.score import judge, score_of
from apps.watchlists.matching.similarity import likenesses
from apps.watchlists.values import ListedEntity


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
class LeftOver:
    """A token without counterpart, and its weight."""

    token: str
    weight: float


@dataclass(frozen=True, slots=True)
class Step:
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

    `thin` says why what agrees is too little to mean a party, None where it is enough.
    """

    name: str
    group: Group
    matches: tuple[TokenMatch, ...]
    query_left: tuple[LeftOver, ...]
    listed_left: tuple[LeftOver, ...]
    query_legal_forms: tuple[str, ...]
    listed_legal_forms: tuple[str, ...]
    share: float
    steps: tuple[Step, ...]
    raw: float
    weak_alias: bool
    thin: Thin | None
    qualifiers: tuple[Qualifier, ...]
    name_score: float
    score: float

    def as_dict(self) -> dict[str, Any]:
        """Return plain values, fit for JSON."""
        return asdict(self)


def explain(*, query: Query, entity: ListedEntity, name: str, weights: TokenWeights) -> Explanation:
    """Return why `query` scored as it did against `name` of `entity`; equals the search score."""
    groups = [group for group in groups_of(query.schema) if group in groups_of(entity.schema)]
    return max(
        (
            _in_group(query, entity, name, weights, group)
            for group in groups or groups_of(entity.schema)
        ),
        key=lambda explanation: explanation.score,
    )


def _in_group(
    query: Query, entity: ListedEntity, name: str, weights: TokenWeights, group: Group
) -> Explanation:
    prices = profile_of(weights.profile)
    left = form_of(name=query.name, group=group, weights=weights)
    right = form_of(name=name, group=group, weights=weights)
    pairs = likenesses(left=left.tokens, right=right.tokens, group=group)
    alignment = align(query=left, listed=right, likenesses=pairs)
    judgement = judge(alignment, prices)
    weak = _is_weak(entity, name)
    name_score = score_of(raw=judgement.raw, weak=weak, prices=prices)
    qualified = qualified_score(query, entity, name_score)
    return Explanation(
        name=name,
        group=group,
        matches=_matches(alignment),
        query_left=_left_over(left, alignment.query_left),
        listed_left=_left_over(right, alignment.listed_left),
        query_legal_forms=left.legal,
        listed_legal_forms=right.legal,
        share=judgement.share,
        steps=tuple(Step(what, effect) for what, effect in judgement.steps),
        raw=judgement.raw,
        weak_alias=weak,
        thin=thin(alignment=alignment, weights=weights),
        qualifiers=qualified.qualifiers,
        name_score=name_score,
        score=qualified.score,
    )


def _is_weak(entity: ListedEntity, name: str) -> bool:
    found = [listed.weak for listed in entity.names if listed.full == name]
    return bool(found) and all(found)


def _matches(alignment: Alignment) -> tuple[TokenMatch, ...]:
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


def _left_over(form: Form, positions: tuple[int, ...]) -> tuple[LeftOver, ...]:
    return tuple(LeftOver(form.tokens[i].text, form.tokens[i].weight) for i in positions)
