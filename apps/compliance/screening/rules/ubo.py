"""Rules of an ownership chain. Specification: document 1 section 2.6; DESIGN section 4.

One table, most severe first; every rule that holds is named in the report.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from apps.compliance.screening.rules.owners import (
    NodeFact,
    format_percent,
    missing_shares,
    nodes_in_listed_countries,
)
from apps.reference.lei.rules.owner_chain import MAX_DEPTH
from apps.reference.lei.rules.registration import hides_owner
from apps.reference.lei.values import OwnerChain, OwnerGap
from apps.reference.watchlists.rules.score_limits import BLOCK_SCORE, PARTIAL_RANGE, PARTIAL_SCORE

Result = Literal["CLEAR", "REVIEW_REQUIRED", "BLOCKED"]

# Raised whenever a rule or a number below changes; part of every report and cache key.
VERSION = "2026-11.6"
CACHED_HOURS = 24  # document 1 section 8

# gaps of our own making or of missing records; all other reasons are GLEIF's reporting exceptions
UNCHECKED = frozenset({"NOT_REPORTED", "NOT_CHECKED", "CYCLE", "TOO_LONG"})

ROLES = {
    "SUBJECT": "the entity itself",
    "DIRECT_PARENT": "direct parent",
    "INTERMEDIATE": "intermediate owner",
    "ULTIMATE_PARENT": "ultimate parent",
}
WORDS = {
    "NOT_REPORTED": "neither an owner nor a reason for not reporting one is on record",
    "NOT_CHECKED": "no record of this entity is available",
    "CYCLE": "the records form a circle",
    "TOO_LONG": f"the chain has more than {MAX_DEPTH} levels of owners",
}


@dataclass(frozen=True, slots=True)
class ChainFacts:
    """What is known of a chain when the rules are applied.

    `unread` says why names of its entities were not fully checked.
    """

    nodes: tuple[NodeFact, ...]
    gaps: tuple[OwnerGap, ...]
    sources_missing: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()

    def scored(self, low: int, high: int, *, controls: bool | None = None) -> list[str]:
        """Return the nodes between two scores, in words; `controls` filters by control."""
        return [
            node.matched
            for node in self.nodes
            if node.score is not None
            and low <= node.score <= high
            and controls in (None, node.controls)
        ]

    def listed(self) -> list[str]:
        """Return the nodes in listed countries, in words."""
        return [node.placed for node in nodes_in_listed_countries(self.nodes)]

    def hidden(self) -> list[str]:
        """Return the places where an exception hides an owner."""
        return [
            f"{ROLES[gap.role]} hidden by the reporting exception {gap.reason}"
            for gap in self.gaps
            if hides_owner(gap.reason) and gap.reason not in UNCHECKED
        ]

    def unchecked(self) -> list[str]:
        """Return the places where nothing could be checked, in words."""
        missing = [
            f"{ROLES[gap.role]}: {WORDS[gap.reason]}" for gap in self.gaps if gap.reason in WORDS
        ]
        missing += [
            f"{node.role} {node.lei}: not screened" for node in self.nodes if node.score is None
        ]
        return missing + [reason.rstrip(".") for reason in (*self.unread, *self.sources_missing)]


@dataclass(frozen=True, slots=True)
class ChainRule:
    """`found` names what holds; when it names anything, the result is at least `result`.

    `code` never changes, `ref` names document, section and rule.
    """

    code: str
    ref: str
    title: str
    result: Result
    found: Callable[[ChainFacts], list[str]]


RULES: tuple[ChainRule, ...] = (
    ChainRule(
        "chain.match",
        "1 §2.6 match",
        f"An entity in the chain matches a sanctioned party at {BLOCK_SCORE}% or more",
        "BLOCKED",
        # of an owner that controls the entity, alone or together with others (rules/owners.py)
        lambda facts: facts.scored(BLOCK_SCORE, 100, controls=True),
    ),
    ChainRule(
        "chain.minority",
        "D §4 Owners, minority",
        "Sanctioned owners together hold less than half",
        "REVIEW_REQUIRED",
        lambda facts: facts.scored(BLOCK_SCORE, 100, controls=False),
    ),
    ChainRule(
        "chain.partial",
        "D §4 2.6 partial",
        f"An entity in the chain matches a sanctioned party at {PARTIAL_RANGE}",
        "REVIEW_REQUIRED",
        lambda facts: facts.scored(PARTIAL_SCORE, BLOCK_SCORE - 1),
    ),
    ChainRule(
        "chain.country",
        "D §4 2.6 country",
        "The entity itself or an owner is in a listed country",
        "REVIEW_REQUIRED",
        lambda facts: facts.listed(),
    ),
    ChainRule(
        "chain.hidden",
        "D §4 2.6 hidden",
        "A reporting exception hides an owner",
        "REVIEW_REQUIRED",
        lambda facts: facts.hidden(),
    ),
    ChainRule(
        "chain.not_checked",
        "D §4 2.6 not checked",
        "Part of the chain could not be checked",
        "REVIEW_REQUIRED",
        lambda facts: facts.unchecked(),
    ),
)


@dataclass(frozen=True, slots=True)
class Finding:
    """A rule that held, and for what."""

    code: str
    ref: str
    result: Result
    reason: str


@dataclass(frozen=True, slots=True)
class Judgement:
    """The result with what led to it; CLEAR when no rule held."""

    result: Result
    findings: tuple[Finding, ...]


def judge_chain(facts: ChainFacts) -> Judgement:
    """Apply every rule; the first that holds in the table gives the result."""
    findings = tuple(
        Finding(rule.code, rule.ref, rule.result, f"{rule.title}: {'; '.join(named)}.")
        for rule in RULES
        if (named := rule.found(facts))
    )
    return Judgement(findings[0].result if findings else "CLEAR", findings)


def are_owners_identified(chain: OwnerChain) -> bool:
    """Return whether owners beyond the entity itself are known, and none of them is missing.

    An exception such as NATURAL_PERSONS names no owner: its reason is reported instead. Where the
    shares on record are less than 100 %, the holders of the rest are missing.
    """
    beyond = [node for node in chain.everybody if node.lei != chain.subject]
    known = bool(beyond) and all(node.known for node in beyond)
    return known and not describe_broken_chain(chain.gaps) and not describe_missing_shares(chain)


def describe_missing_shares(chain: OwnerChain | None) -> tuple[str, ...]:
    """Name the entities whose owners on record hold less than 100 %; empty for none."""
    if chain is None:
        return ()
    names = {node.lei: node.name for node in chain.everybody}
    return tuple(
        f"{names.get(lei, lei)}: the owners on record hold {format_percent(held_share)} %"
        for lei, held_share in missing_shares(chain.ties).items()
    )


def list_reporting_exceptions(chain: OwnerChain | None) -> tuple[str, ...]:
    """Return the stated reasons for which entities of a chain report no owner."""
    gaps = chain.gaps if chain else ()
    return tuple(dict.fromkeys(gap.reason for gap in gaps if gap.reason not in UNCHECKED))


def describe_broken_chain(gaps: tuple[OwnerGap, ...]) -> str:
    """Return why a chain could not be followed to its end, empty when it was.

    For the combined screen (1 §2.7 rule 5): hidden and unchecked owners count alike.
    """
    facts = ChainFacts((), gaps)
    return "; ".join(facts.hidden() + facts.unchecked())
