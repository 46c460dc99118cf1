"""Findings of the compliance report on a party: the rules of its screen, and gaps. Pure.

Document 2 section 4: sanctions, PEP, travel-rule status.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from apps.insight.reports.rules.charts import BarRow, Chart
from apps.insight.reports.rules.findings import Data, Level, Rule, SentenceFinder
from apps.insight.reports.rules.report_data import (
    format_code,
    format_day,
    format_number,
    list_at_path,
    value_at_path,
)
from apps.insight.reports.rules.tables import ReportTable
from apps.platform.common.counts import format_count

SCREEN, OWNERS, R16 = "1 §2.7", "1 §2.6", "FATF R.16"
# decision of a screening rule -> level of its finding, and the recommended action
FINDING_OF_DECISION: Mapping[str, tuple[Level, str]] = {
    "BLOCKED": ("HIGH", "Make no funds available to the party; ask counsel before any dealing."),
    "FLAGGED": ("ELEVATED", "Have a compliance officer review the findings before dealing."),
}
# thresholds from which a transfer carries data of both parties, by law
TRAVEL_RULE_THRESHOLDS = (
    {"regime": "FATF R.16", "amount": 1_000, "currency": "USD"},
    {"regime": "Regulation (EU) 2023/1113", "amount": 0, "currency": "EUR"},
    {"regime": "31 CFR 1010.410(f)", "amount": 3_000, "currency": "USD"},
)


def serialize_travel_rule(
    *, satisfied: bool, basis: str, note: str, lei_given: bool, lei_counts: bool, lei_note: str
) -> dict[str, Any]:
    """Return the party's travel rule status, as far as any buyer may know it."""
    # from the screen alone: travel rule messages about the party belong to the institution that
    # holds them
    return {
        "satisfied": satisfied,
        "basis": basis,
        "note": note,
        "lei": {"given": lei_given, "counts": lei_counts, "note": lei_note},
        "thresholds": [
            dict(travel_rule_threshold) for travel_rule_threshold in TRAVEL_RULE_THRESHOLDS
        ],
    }


def _find_screen_rules(decision: str | None) -> SentenceFinder:
    def finds(data: Data) -> Iterator[str]:
        for rule in list_at_path(data, "screen.rules"):
            if rule["decision"] == decision:
                yield f"{rule['reason']} Risk {rule['risk']} of 100 ({rule['reference']})."

    return finds


def _were_names_compared(data: Data) -> bool:
    """Tell whether every name was compared; without a comparison, no match is not a finding."""
    return not list_at_path(data, "screen.sanctions.unread")


def _find_no_sanctions_match(data: Data) -> Iterator[str]:
    score, partial = (
        value_at_path(data, "screen.sanctions.score"),
        value_at_path(data, "screen.sanctions.partialFrom"),
    )
    if score < partial and _were_names_compared(data):
        lists = list_at_path(data, "screen.lists.sanctions")
        yield (
            f"No sanctions match on {format_count(len(lists), 'list')}: the nearest name scores "
            f"{score} %, below the threshold of {partial} %."
        )


def _find_no_pep_match(data: Data) -> Iterator[str]:
    pep = value_at_path(data, "screen.pep")
    # an unread name is no clean result: saying "no match" would be a finding that was never made
    if pep["checked"] and pep["score"] < pep["matchesFrom"] and _were_names_compared(data):
        yield (
            f"No PEP match: the nearest name scores {pep['score']} %, below the threshold of "
            f"{pep['matchesFrom']} %."
        )


def _find_pep_not_searched(data: Data) -> Iterator[str]:
    pep = value_at_path(data, "screen.pep")
    if not pep["checked"]:
        yield "No PEP screening: 0 PEP lists are current."


def _find_unidentified_owners(data: Data) -> Iterator[str]:
    nodes = list_at_path(data, "screen.ownership.nodes")
    if nodes and not value_at_path(data, "screen.ownership.identified"):
        # an exception states why an owner is not named, so it is shown rather than the gap it
        # causes
        reasons = [
            format_code(exception)
            for exception in list_at_path(data, "screen.ownership.exceptions")
        ] or [
            f"{format_code(gap['role'])} {format_code(gap['reason'])}"
            for gap in list_at_path(data, "screen.ownership.gaps")
        ]
        why = f": {', '.join(reasons)}" if reasons else ""
        owners = sum(node["role"] != "SUBJECT" for node in nodes)
        text = "1 owner is" if owners == 1 else f"{owners} owners are"
        yield (
            f"In addition to the entity itself, {text} identified; the ownership chain is "
            f"incomplete{why}."
        )


def _find_listed_countries(data: Data) -> Iterator[str]:
    for node in list_at_path(data, "screen.ownership.nodes"):
        if node["countryLabel"] not in ("STANDARD", "NOT_PROVIDED"):
            yield (
                f"{node['name']} has a link to {node['country']}, a listed country "
                f"({format_code(node['countryLabel'])}); its name scores {node['score'] or 0} of "
                "100."
            )


def _find_name_only_basis(is_lei_given: bool) -> SentenceFinder:
    def finds(data: Data) -> Iterator[str]:
        lei = value_at_path(data, "screen.travelRule.lei")
        if (
            value_at_path(data, "screen.travelRule.basis") == "NAME_ONLY"
            and lei["given"] is is_lei_given
        ):
            yield (
                "Under FATF R.16 a transfer of 1,000 USD or more would identify the party by name "
                "only: " + (lei["note"] or "no LEI was given.")
            )

    return finds


def _find_verified_lei(data: Data) -> Iterator[str]:
    if value_at_path(data, "screen.travelRule.basis") == "LEI_VERIFIED":
        lei = value_at_path(data, "screen.subject.lei")
        yield f"The LEI {lei} is issued and belongs to the party: it satisfies FATF R.16."


def _find_missing_lists(data: Data) -> Iterator[str]:
    missing = list_at_path(data, "screen.lists.missing")
    if missing:
        yield f"{format_count(len(missing), 'list')} could not be searched: {'; '.join(missing)}."


RULES: tuple[Rule, ...] = (
    Rule(
        code="COMP-BLOCKED",
        ref=SCREEN,
        level=FINDING_OF_DECISION["BLOCKED"][0],
        weight=100,
        condition="a blocking rule of the screen applies",
        finds=_find_screen_rules("BLOCKED"),
        advice=FINDING_OF_DECISION["BLOCKED"][1],
        # other advice, such as asking for an LEI, would read as a way to deal with a blocked party
        alone=True,
    ),
    Rule(
        code="COMP-FLAGGED",
        ref=SCREEN,
        level=FINDING_OF_DECISION["FLAGGED"][0],
        weight=90,
        condition="a flagging rule of the screen applies",
        finds=_find_screen_rules("FLAGGED"),
        advice=FINDING_OF_DECISION["FLAGGED"][1],
    ),
    Rule(
        code="COMP-TOLD",
        ref=SCREEN,
        level="MODERATE",
        weight=80,
        condition="an informational rule of the screen applies",
        finds=_find_screen_rules(None),
    ),
    Rule(
        code="COMP-COUNTRY",
        ref=OWNERS,
        level="MODERATE",
        weight=70,
        condition="an entity in the ownership chain has a link to a listed country",
        finds=_find_listed_countries,
        advice="Establish the origin and destination of the party's goods and funds.",
    ),
    Rule(
        code="COMP-LISTS",
        ref="D §4",
        level="MODERATE",
        weight=65,
        condition="an enabled list could not be searched",
        finds=_find_missing_lists,
        advice="Buy the report again when all lists are current.",
    ),
    Rule(
        code="COMP-NO-OFFICES",
        ref=SCREEN,
        level="MODERATE",
        weight=60,
        condition="PEP lists were not searched",
        finds=_find_pep_not_searched,
    ),
    Rule(
        code="COMP-OWNERS",
        ref=OWNERS,
        level="MODERATE",
        weight=55,
        condition="the ownership chain is incomplete",
        finds=_find_unidentified_owners,
        advice="Ask the party who owns and controls it.",
    ),
    Rule(
        code="COMP-NAME-ONLY",
        ref=R16,
        level="MODERATE",
        weight=50,
        condition="the basis under FATF R.16 is the name only, and no LEI was given",
        finds=_find_name_only_basis(False),
        advice="Ask the party for its LEI before a transfer of 1,000 USD or more.",
    ),
    Rule(
        code="COMP-LEI-NOT",
        ref=R16,
        level="MODERATE",
        weight=50,
        condition="the basis under FATF R.16 is the name only, because the LEI does not count",
        finds=_find_name_only_basis(True),
        advice="Verify that the LEI belongs to the party and is in force before relying on it.",
    ),
    Rule(
        code="COMP-CLEAR",
        ref=SCREEN,
        level="LOW",
        weight=40,
        condition="the nearest listed name scores below the threshold, and full names were "
        "compared",
        finds=_find_no_sanctions_match,
    ),
    Rule(
        code="COMP-OFFICES",
        ref=SCREEN,
        level="LOW",
        weight=35,
        condition="the nearest PEP scores below the threshold, and full names were compared",
        finds=_find_no_pep_match,
    ),
    Rule(
        code="COMP-LEI",
        ref=R16,
        level="LOW",
        weight=30,
        condition="the LEI counts under FATF R.16",
        finds=_find_verified_lei,
    ),
)


def compliance_headline(data: Data) -> str:
    """Return the last sentence of the summary."""
    return (
        f"A payment to this party would be {format_code(value_at_path(data, 'screen.decision'))} "
        f"based on this screening alone: risk {value_at_path(data, 'screen.riskScore')} of 100."
    )


def describe_sanctions(data: Data) -> str:
    """Describe the searched lists and the matches."""
    versions, lists = (
        value_at_path(data, "screen.lists.versions"),
        list_at_path(data, "screen.lists.sanctions"),
    )
    named = ", ".join(f"{slug} version {versions[slug]}" for slug in lists)
    matches = list_at_path(data, "screen.sanctions.matches")
    whom = "; ".join(
        f"{match['name']} on {match['dataset']} at {match['score']} %"
        + (f" ({', '.join(match['programs'])})" if match["programs"] else "")
        for match in matches
    )
    return f"Sanctions lists searched: {len(lists)}, {named}. " + (
        f"Found: {whom}." if matches else "No name scored 45 % or more."
    )


def describe_pep_search(data: Data) -> str:
    """Describe the result of the PEP screening."""
    pep = value_at_path(data, "screen.pep")
    if not pep["checked"]:
        return ""
    matches = pep["matches"]
    whom = "; ".join(
        f"{match['name']} on {match['dataset']} at {match['score']} %" for match in matches
    )
    return f"PEP lists were searched with a threshold of {pep['matchesFrom']} %. " + (
        f"Found: {whom}." if matches else f"The nearest name scores {pep['score']} %."
    )


def describe_owners(data: Data) -> str:
    """Describe the screened ownership chain."""
    nodes = list_at_path(data, "screen.ownership.nodes")
    if not nodes:
        return ""
    text = "; ".join(
        f"{node['name']} ({format_code(node['role'])}) {node['score']} %"
        if node["score"] is not None
        else f"{node['name']} ({format_code(node['role'])}) not screened"
        for node in nodes
    )
    gaps = "; ".join(
        f"{format_code(gap['role'])}: {format_code(gap['reason'])}"
        for gap in list_at_path(data, "screen.ownership.gaps")
    )
    n = (
        "1 entity in the ownership chain was"
        if len(nodes) == 1
        else f"{len(nodes)} entities in the ownership chain were"
    )
    return f"{n} screened: {text}." + (f" Not on record: {gaps}." if gaps else "")


def describe_travel_rule(data: Data) -> str:
    """Describe the party's travel rule status."""
    rows = ", ".join(
        f"{threshold['regime']} from {threshold['amount']:,} {threshold['currency']}"
        for threshold in list_at_path(data, "screen.travelRule.thresholds")
    )
    return (
        f"{value_at_path(data, 'screen.travelRule.note')} Data on both parties must travel with "
        f"the transfer: {rows}."
    )


def highest_match_score(data: Data) -> float:
    """Return how near the nearest listed name is to the party or to an entity of its chain."""
    chain = (node["score"] for node in list_at_path(data, "screen.ownership.nodes"))
    return max(value_at_path(data, "screen.sanctions.score"), *(score or 0 for score in chain), 0)


def match_score_bars(data: Data) -> Iterator[BarRow]:
    """Yield how near the nearest names are."""
    yield (
        "Sanctions",
        value_at_path(data, "screen.sanctions.score"),
        f"{value_at_path(data, 'screen.sanctions.score')} %",
    )
    pep = value_at_path(data, "screen.pep.score")
    yield "PEPs", pep, "not searched" if pep is None else f"{pep} %"
    for node in list_at_path(data, "screen.ownership.nodes"):
        score = node["score"]
        yield node["name"], score, "not screened" if score is None else f"{format_number(score)} %"


def match_rows(data: Data) -> Iterator[tuple[str, ...]]:
    """Yield whom the party is named like: by which name, on which list, since when."""
    for path in ("screen.sanctions.matches", "screen.pep.matches", "screen.ownership.matches"):
        for match_row in list_at_path(data, path):
            born = f"; born {', '.join(match_row['birthDates'])}" if match_row["birthDates"] else ""
            of = f"; owner: {match_row['owner']}" if "owner" in match_row else ""
            yield (
                f"{match_row['name']} ({format_code(match_row['type'])}{born}{of})",
                f"{match_row['matchedName']}, by {format_code(match_row['matchedBy'])}",
                f"{format_number(match_row['score'])} %",
                match_row["entityId"],
                ", ".join(match_row["programs"]) or "not stated",
                match_row["listedOn"] or "not stated",
            )


def searched_list_rows(data: Data) -> Iterator[tuple[str, ...]]:
    """Yield the lists that were searched: for what, at which version, of which day."""
    lists = value_at_path(data, "screen.lists")
    for slug, version in lists["versions"].items():
        topics = [
            name
            for name, key in (("sanctions", "sanctions"), ("PEP", "offices"))
            if slug in lists[key]
        ]
        published = lists["published"].get(slug)
        yield (
            slug,
            " and ".join(topics) or "other",
            str(version),
            format_day(published) if published else "none published",
        )


def ownership_rows(data: Data) -> Iterator[tuple[str, ...]]:
    """Yield the entities of the chain of ownership."""
    for node in list_at_path(data, "screen.ownership.nodes"):
        score = "not screened" if node["score"] is None else f"{format_number(node['score'])} %"
        yield (
            node["name"],
            node["lei"] or "none",
            format_code(node["role"]),
            node["country"] or "–",
            score,
        )


TABLES: tuple[ReportTable, ...] = (
    ReportTable(title="Matches", wide=(24, 20, 9, 24, 12, 11), rows=match_rows,
            columns=("On the list", "Matched name", "Score", "Entry", "Programmes", "Listed on")),
    ReportTable(title="Lists searched", wide=(40, 25, 10, 25), rows=searched_list_rows,
            columns=("List", "Topics", "Version", "Published")),
    ReportTable(title="Ownership chain", wide=(36, 26, 14, 10, 14), rows=ownership_rows,
            columns=("Entity", "LEI", "Role", "Country", "Nearest listed name")),
)  # fmt: skip

CHARTS: tuple[Chart, ...] = (
    Chart(title="Score of the nearest listed name", bars=match_score_bars, low=0, high=100,
          mark=(70, "70: a match")),
)  # fmt: skip
