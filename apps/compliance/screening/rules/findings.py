"""Findings of a combined screen, one row per rule (document 1 section 2.7; DESIGN section 4).

Every rule is a pure function of `ScreenFacts`. Clients switch on its `code`; its `ref` cites the
specification or the design.
"""

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from apps.compliance.screening.rules.facts import LARGE_USD, ScreenFacts
from apps.compliance.screening.rules.owners import (
    COUNTRY_RISKS,
    NodeFact,
    nodes_in_listed_countries,
)
from apps.reference.watchlists.rules.score_limits import (
    BLOCK_SCORE,
    PARTIAL_RANGE,
    PARTIAL_SCORE,
    PEP_SCORE,
)

Decision = Literal["APPROVED", "FLAGGED", "BLOCKED"]

CTR_USD = Decimal(10_000)  # document 1 section 8: CTR-equivalent flag
NOT_CHECKED_RISK = 50  # what a check that could not run adds
MINORITY_RISK = BLOCK_SCORE - 1  # as much as a match that does not block


@dataclass(frozen=True, slots=True)
class ScreenRule:
    """A rule: `when` it holds, it leads to `decision`, contributes `risk` and gives `reason`.

    `decision` None informs only. `code` never changes, `ref` names document, section and rule.
    """

    code: str
    ref: str
    title: str
    decision: Decision | None
    when: Callable[[ScreenFacts], bool]
    risk: Callable[[ScreenFacts], int]
    reason: Callable[[ScreenFacts], str]


def _fixed_risk(risk: int) -> Callable[[ScreenFacts], int]:
    return lambda facts: risk


def _hit_nodes(facts: ScreenFacts, low: int, high: int) -> list[NodeFact]:
    return [n for n in facts.nodes if n.score is not None and low <= n.score <= high]


def _listed_nodes(facts: ScreenFacts, *, controls: bool) -> list[NodeFact]:
    return [n for n in _hit_nodes(facts, BLOCK_SCORE, 100) if n.controls is controls]


def _join_node_names(nodes: list[NodeFact]) -> str:
    return "; ".join(node.matched for node in nodes)


def _describe_positions(nodes: list[NodeFact]) -> str:
    """State the position in the chain: the holder of the LEI itself is not an owner."""
    own = any(node.role == "SUBJECT" for node in nodes)
    above = any(node.role != "SUBJECT" for node in nodes)
    places = ["the holder of the LEI"] * own + ["an owner"] * above
    return f"at {' and '.join(places)}: {_join_node_names(nodes)}."


def _describe_listed_countries(facts: ScreenFacts) -> str:
    """State who is in a listed country: the party by its own LEI record, or owners above it."""
    listed = nodes_in_listed_countries(facts.nodes)
    own = [n.placed for n in listed if n.role == "SUBJECT"]
    above = [n.placed for n in listed if n.role != "SUBJECT"]
    parts = [f"Listed country of the party by its LEI record: {country}" for country in own]
    if above:
        parts.append(f"Listed country in the ownership chain: {'; '.join(above)}")
    return f"{'. '.join(parts)}; enhanced due diligence applies."


def _describe_sanctions_match(facts: ScreenFacts) -> str:
    """State the listed party that matched, and what else agreed or contradicted."""
    text = f"{facts.sanctions_counts}%: {facts.sanctions_name}."
    return " ".join((text, *facts.sanctions_notes))


RULES: tuple[ScreenRule, ...] = (
    ScreenRule(
        "country.call_for_action",
        "1 §2.7 rule 1 blacklist",
        "A country of the payment is on the FATF call for action",
        "BLOCKED",
        lambda f: bool(f.labels("CALL_FOR_ACTION")),
        _fixed_risk(100),
        lambda f: f"FATF call for action: {', '.join(f.labels('CALL_FOR_ACTION'))}.",
    ),
    ScreenRule(
        "country.increased_monitoring",
        "1 §2.7 rule 1 grey list",
        "A country of the payment is under FATF increased monitoring",
        "FLAGGED",
        lambda f: bool(f.labels("INCREASED_MONITORING")),
        _fixed_risk(60),
        lambda f: (
            f"FATF increased monitoring: {', '.join(f.labels('INCREASED_MONITORING'))}; "
            "enhanced due diligence applies."
        ),
    ),
    ScreenRule(
        "country.eu_high_risk",
        "D §4 countries, EU",
        "A country of the payment is an EU high-risk third country",
        "FLAGGED",
        lambda f: bool(f.labels("EU_HIGH_RISK")),
        _fixed_risk(50),
        lambda f: (
            f"EU high-risk third country: {', '.join(f.labels('EU_HIGH_RISK'))}; "
            "enhanced due diligence applies."
        ),
    ),
    ScreenRule(
        "country.embargo",
        "D §4 countries, embargo",
        "A country of the payment is under a comprehensive embargo",
        "FLAGGED",
        lambda f: bool(f.embargoed),
        _fixed_risk(60),
        lambda f: f"Embargo: {', '.join(f.embargoed)}; a comprehensive programme is in force.",
    ),
    ScreenRule(
        "country.address",
        "D §4 countries, address",
        "Address, nationality or name field of the party names a listed or embargoed place",
        "FLAGGED",
        lambda f: f.address_label in COUNTRY_RISKS,
        # the address is the caller's own statement: it flags even under a call for action (DESIGN
        # section 4, Countries)
        lambda f: COUNTRY_RISKS[f.address_label],
        lambda f: (
            f"Listed country of the party: {f.address}: {f.address_label}; "
            "enhanced due diligence applies."
        ),
    ),
    ScreenRule(
        "amount.reporting",
        "1 §2.7 rule 2 reporting",
        f"{CTR_USD:,} USD or more: for information only",
        None,
        lambda f: f.amount_usd is not None and f.amount_usd >= CTR_USD,
        _fixed_risk(10),
        lambda f: f"Amount of {CTR_USD:,} USD or more: CTR-equivalent, for information.",
    ),
    ScreenRule(
        "amount.large",
        "1 §2.7 rule 2 large",
        f"{LARGE_USD:,} USD or more without an LEI that counts",
        "FLAGGED",
        lambda f: f.large and not f.lei_counts,
        _fixed_risk(60),
        lambda f: f"Amount of {LARGE_USD:,} USD or more without an LEI that counts.",
    ),
    ScreenRule(
        "amount.not_checked",
        "D §4 fail closed, amount",
        "An amount whose currency has no current reference rate",
        "FLAGGED",
        lambda f: f.amount_given and f.amount_usd is None,
        _fixed_risk(NOT_CHECKED_RISK),
        lambda f: "Amount not checked: no current reference rate for its currency.",
    ),
    ScreenRule(
        "lei.does_not_count",
        "D §4 fail closed, LEI",
        "An LEI was given and does not count: for information only",
        None,
        lambda f: f.lei_given and not f.lei_counts,
        _fixed_risk(0),
        lambda f: f"The LEI does not count: {f.lei_note}",
    ),
    ScreenRule(
        "lei.mismatch",
        "D §4 fail closed, LEI of another",
        "The name and the LEI belong to different companies",
        "FLAGGED",
        lambda f: bool(f.lei_of),
        _fixed_risk(NOT_CHECKED_RISK),
        lambda f: f"The name and the LEI belong to different companies: the LEI is {f.lei_of}'s.",
    ),
    ScreenRule(
        "sanctions.match",
        "1 §2.7 rule 3 match",
        f"The name matches a sanctioned party at {BLOCK_SCORE}% or more",
        "BLOCKED",
        lambda f: f.sanctions_score >= BLOCK_SCORE,
        lambda f: f.sanctions_score,
        lambda f: f"Sanctions match at {_describe_sanctions_match(f)}",
    ),
    ScreenRule(
        "sanctions.partial",
        "1 §2.7 rule 3 partial",
        f"The name matches a sanctioned party at {PARTIAL_RANGE}",
        "FLAGGED",
        # what known false positives leave; a block is judged by the whole score above
        lambda f: PARTIAL_SCORE <= f.sanctions_counts < BLOCK_SCORE,
        lambda f: f.sanctions_counts,
        lambda f: f"Partial sanctions match at {_describe_sanctions_match(f)}",
    ),
    ScreenRule(
        "sanctions.known",
        "D §4 known false positives",
        f"A match at {PARTIAL_RANGE} that two officers found to be another party: it does not flag",
        None,
        lambda f: bool(f.sanctions_known) and f.sanctions_score < BLOCK_SCORE,
        _fixed_risk(0),
        lambda f: " ".join(f.sanctions_known),
    ),
    ScreenRule(
        "name.not_checked",
        "D §4 fail closed, name",
        "A name of the party was not fully checked",
        "FLAGGED",
        lambda f: bool(f.unread),
        _fixed_risk(NOT_CHECKED_RISK),
        lambda f: f"Name not fully checked: {'; '.join(why.rstrip('.') for why in f.unread)}.",
    ),
    ScreenRule(
        "pep.match",
        "1 §2.7 rule 4",
        f"The name matches a politically exposed person at {PEP_SCORE}% or more",
        "FLAGGED",
        lambda f: f.pep_score is not None and f.pep_score >= PEP_SCORE,
        # 80 % of the score, rounded down (DESIGN section 4, 2.7)
        lambda f: (f.pep_score or 0) * 8 // 10,
        lambda f: f"Politically exposed person at {f.pep_score}%: {f.pep_name}.",
    ),
    ScreenRule(
        "pep.not_checked",
        "D §4 fail closed, PEP",
        "PEP screening was required and could not run",
        "FLAGGED",
        lambda f: f.pep_asked and f.pep_score is None,
        _fixed_risk(NOT_CHECKED_RISK),
        lambda f: "Politically exposed persons not checked: no current list.",
    ),
    ScreenRule(
        "lists.not_checked",
        "D §4 fail closed, lists",
        "An enabled list is missing, incomplete or too old",
        "FLAGGED",
        lambda f: bool(f.sources_missing),
        _fixed_risk(NOT_CHECKED_RISK),
        lambda f: f"Lists not checked: {' '.join(f.sources_missing)}",
    ),
    ScreenRule(
        "owner.match",
        "1 §2.7 rule 5",
        "A party in the ownership chain is sanctioned",
        "BLOCKED",
        lambda f: bool(_listed_nodes(f, controls=True)),
        _fixed_risk(100),
        lambda f: f"Sanctions {_describe_positions(_listed_nodes(f, controls=True))}",
    ),
    ScreenRule(
        "owner.minority",
        "D §4 Owners, minority",
        "Sanctioned owners together hold less than half",
        "FLAGGED",
        lambda f: bool(_listed_nodes(f, controls=False)),
        _fixed_risk(MINORITY_RISK),
        lambda f: (
            "Sanctioned ownership of less than half: "
            f"{_join_node_names(_listed_nodes(f, controls=False))}."
        ),
    ),
    ScreenRule(
        "owner.country",
        "D §4 Owners, country",
        "The party, by its LEI record, or an owner is in a listed country",
        "FLAGGED",
        lambda f: bool(nodes_in_listed_countries(f.nodes)),
        lambda f: max(COUNTRY_RISKS[n.label] for n in nodes_in_listed_countries(f.nodes)),
        _describe_listed_countries,
    ),
    ScreenRule(
        "owner.partial",
        "1 §2.7 rule 3 partial, owner",
        f"A party in the ownership chain matches a sanctioned party at {PARTIAL_RANGE}",
        "FLAGGED",
        lambda f: bool(_hit_nodes(f, PARTIAL_SCORE, BLOCK_SCORE - 1)),
        lambda f: max(n.score or 0 for n in _hit_nodes(f, PARTIAL_SCORE, BLOCK_SCORE - 1)),
        lambda f: (
            f"Partial sanctions match "
            f"{_describe_positions(_hit_nodes(f, PARTIAL_SCORE, BLOCK_SCORE - 1))}"
        ),
    ),
    ScreenRule(
        "owner.not_checked",
        "D §4 fail closed, ownership",
        "An LEI was given and its ownership chain could not be checked to the end",
        "FLAGGED",
        lambda f: f.lei_given and bool(f.chain_note),
        _fixed_risk(NOT_CHECKED_RISK),
        lambda f: f"Ownership not checked: {f.chain_note}",
    ),
)
