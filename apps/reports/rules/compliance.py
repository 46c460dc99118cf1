"""What follows for the compliance report of a party: the rules of its screen, and what lacks. Pure.

Document 2 section 4: sanctions, PEP, travel-rule status.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from apps.reports.rules.charts import Chart, Row
from apps.reports.rules.findings import Data, Finds, Level, Rule
from apps.reports.rules.listings import Listing
from apps.reports.rules.reading import at, count, day, listed, num, words

SCREEN, OWNERS, R16 = "1 §2.7", "1 §2.6", "FATF R.16"
# decision of a rule of the screen -> how grave its finding is, and what follows
DECISIONS: Mapping[str, tuple[Level, str]] = {
    "BLOCKED": ("HIGH", "Make no funds available to the party; ask counsel before any dealing."),
    "FLAGGED": ("ELEVATED", "Have a compliance officer look at what was found before dealing."),
}
# thresholds from which a transfer carries data of both parties, by law
THRESHOLDS = (
    {"regime": "FATF R.16", "amount": 1_000, "currency": "USD"},
    {"regime": "Regulation (EU) 2023/1113", "amount": 0, "currency": "EUR"},
    {"regime": "31 CFR 1010.410(f)", "amount": 3_000, "currency": "USD"},
)


def travel_rule(
    *, basis: str, note: str, lei_given: bool, lei_counts: bool, lei_note: str
) -> dict[str, Any]:
    """Return how the party stands under the travel rule, as far as any buyer may know.

    Which messages of it an institution holds is that institution's own.
    """
    return {
        "satisfied": basis != "NAME_ONLY",
        "basis": basis,
        "note": note,
        "lei": {"given": lei_given, "counts": lei_counts, "note": lei_note},
        "thresholds": [dict(one) for one in THRESHOLDS],
    }


def _ruled(decision: str | None) -> Finds:
    def finds(data: Data) -> Iterator[str]:
        for one in listed(data, "screen.rules"):
            if one["decision"] == decision:
                yield f"{one['reason']} Risk {one['risk']} of 100 ({one['reference']})."

    return finds


def _clear(data: Data) -> Iterator[str]:
    score, partial = at(data, "screen.sanctions.score"), at(data, "screen.sanctions.partialFrom")
    if score < partial:
        lists = listed(data, "screen.lists.sanctions")
        yield (
            f"Nobody on {count(len(lists), 'list')} of sanctions is named like the party: the "
            f"nearest name agrees by {score} %, and names count from {partial} %."
        )


def _offices(data: Data) -> Iterator[str]:
    pep = at(data, "screen.pep")
    if pep["checked"] and pep["score"] < pep["matchesFrom"]:
        yield (
            f"Nobody who holds a public office is named like the party: {pep['score']} %, and "
            f"names count from {pep['matchesFrom']} %."
        )


def _no_offices(data: Data) -> Iterator[str]:
    pep = at(data, "screen.pep")
    if not pep["checked"]:
        yield "Office holders were not searched: 0 lists of them are current."


def _owners(data: Data) -> Iterator[str]:
    nodes = listed(data, "screen.ownership.nodes")
    if nodes and not at(data, "screen.ownership.identified"):
        reasons = [words(one) for one in listed(data, "screen.ownership.exceptions")] or [
            f"{words(one['role'])} {words(one['reason'])}"
            for one in listed(data, "screen.ownership.gaps")
        ]
        why = f": {', '.join(reasons)}" if reasons else ""
        owners = sum(one["role"] != "SUBJECT" for one in nodes)
        told = "1 owner is" if owners == 1 else f"{owners} owners are"
        yield f"Beyond the entity itself {told} identified, and not all of the chain{why}."


def _places(data: Data) -> Iterator[str]:
    for one in listed(data, "screen.ownership.nodes"):
        if one["countryLabel"] not in ("STANDARD", "NOT_PROVIDED"):
            yield (
                f"{one['name']} has to do with {one['country']}, a country that is listed "
                f"({words(one['countryLabel'])}); its name scores {one['score'] or 0} of 100."
            )


def _name_only(given: bool) -> Finds:
    def finds(data: Data) -> Iterator[str]:
        lei = at(data, "screen.travelRule.lei")
        if at(data, "screen.travelRule.basis") == "NAME_ONLY" and lei["given"] is given:
            yield (
                "Under FATF R.16 a transfer of 1,000 USD or more would rest on a name alone: "
                + (lei["note"] or "no LEI was given.")
            )

    return finds


def _verified(data: Data) -> Iterator[str]:
    if at(data, "screen.travelRule.basis") == "LEI_VERIFIED":
        lei = at(data, "screen.subject.lei")
        yield f"The LEI {lei} is issued and is that of the party: it serves FATF R.16."


def _lists(data: Data) -> Iterator[str]:
    missing = listed(data, "screen.lists.missing")
    if missing:
        yield f"{count(len(missing), 'list')} could not be searched: {'; '.join(missing)}."


RULES: tuple[Rule, ...] = (
    Rule(code="COMP-BLOCKED", ref=SCREEN, level=DECISIONS["BLOCKED"][0], weight=100,
         condition="a rule of the screen holds that blocks", finds=_ruled("BLOCKED"),
         advice=DECISIONS["BLOCKED"][1], alone=True),
    Rule(code="COMP-FLAGGED", ref=SCREEN, level=DECISIONS["FLAGGED"][0], weight=90,
         condition="a rule of the screen holds that flags", finds=_ruled("FLAGGED"),
         advice=DECISIONS["FLAGGED"][1]),
    Rule(code="COMP-TOLD", ref=SCREEN, level="MODERATE", weight=80,
         condition="a rule of the screen holds that decides nothing", finds=_ruled(None)),
    Rule(code="COMP-COUNTRY", ref=OWNERS, level="MODERATE", weight=70,
         condition="an entity of the chain has to do with a listed country", finds=_places,
         advice="Ask where goods and money of the party come from and go to."),
    Rule(code="COMP-LISTS", ref="D §4", level="MODERATE", weight=65,
         condition="a list that is enabled could not be searched", finds=_lists,
         advice="Buy the report again once all lists are current."),
    Rule(code="COMP-NO-OFFICES", ref=SCREEN, level="MODERATE", weight=60,
         condition="office holders were not searched", finds=_no_offices),
    Rule(code="COMP-OWNERS", ref=OWNERS, level="MODERATE", weight=55,
         condition="the chain of owners is not wholly identified", finds=_owners,
         advice="Ask the party who owns and controls it."),
    Rule(code="COMP-NAME-ONLY", ref=R16, level="MODERATE", weight=50,
         condition="the basis under FATF R.16 is a name alone, and no LEI was given",
         finds=_name_only(False),
         advice="Ask the party for its LEI before a transfer of 1,000 USD or more."),
    Rule(code="COMP-LEI-NOT", ref=R16, level="MODERATE", weight=50,
         condition="the basis under FATF R.16 is a name alone, and the LEI does not count",
         finds=_name_only(True),
         advice="Settle whose the LEI is and that it is ISSUED before a transfer rests on it."),
    Rule(code="COMP-CLEAR", ref=SCREEN, level="LOW", weight=40,
         condition="the nearest listed name agrees by less than counts", finds=_clear),
    Rule(code="COMP-OFFICES", ref=SCREEN, level="LOW", weight=35,
         condition="the nearest office holder agrees by less than counts", finds=_offices),
    Rule(code="COMP-LEI", ref=R16, level="LOW", weight=30,
         condition="the LEI counts under FATF R.16", finds=_verified),
)  # fmt: skip


def headline(data: Data) -> str:
    """Return the last sentence of the summary."""
    return (
        f"A payment to this party would be {words(at(data, 'screen.decision'))} by what is known "
        f"of it alone: risk {at(data, 'screen.riskScore')} of 100."
    )


def told_sanctions(data: Data) -> str:
    """Tell which lists were searched, and who was found."""
    versions, lists = at(data, "screen.lists.versions"), listed(data, "screen.lists.sanctions")
    named = ", ".join(f"{slug} version {versions[slug]}" for slug in lists)
    found = listed(data, "screen.sanctions.matches")
    whom = "; ".join(
        f"{one['name']} on {one['dataset']} at {one['score']} %"
        + (f" ({', '.join(one['programs'])})" if one["programs"] else "")
        for one in found
    )
    return f"Lists of sanctions that were searched: {len(lists)}, {named}. " + (
        f"Found: {whom}." if found else "Nobody was found from 45 % on."
    )


def told_offices(data: Data) -> str:
    """Tell whether the party is named like somebody who holds a public office."""
    pep = at(data, "screen.pep")
    if not pep["checked"]:
        return ""
    found = pep["matches"]
    whom = "; ".join(f"{one['name']} on {one['dataset']} at {one['score']} %" for one in found)
    return f"Office holders were searched; names count from {pep['matchesFrom']} %. " + (
        f"Found: {whom}." if found else f"The nearest name agrees by {pep['score']} %."
    )


def told_owners(data: Data) -> str:
    """Tell the chain of ownership that was screened."""
    nodes = listed(data, "screen.ownership.nodes")
    if not nodes:
        return ""
    told = "; ".join(
        f"{one['name']} ({words(one['role'])}) {one['score']} %"
        if one["score"] is not None
        else f"{one['name']} ({words(one['role'])}) not screened"
        for one in nodes
    )
    gaps = "; ".join(
        f"{words(one['role'])}: {words(one['reason'])}"
        for one in listed(data, "screen.ownership.gaps")
    )
    n = (
        "1 entity of the chain was"
        if len(nodes) == 1
        else f"{len(nodes)} entities of the chain were"
    )
    return f"{n} screened: {told}." + (f" Not on record: {gaps}." if gaps else "")


def told_travel_rule(data: Data) -> str:
    """Tell how the party stands under the travel rule."""
    rows = ", ".join(
        f"{one['regime']} from {one['amount']:,} {one['currency']}"
        for one in listed(data, "screen.travelRule.thresholds")
    )
    return f"{at(data, 'screen.travelRule.note')} Data of both parties travel by {rows} on."


def nearest(data: Data) -> float:
    """Return how near the nearest listed name is to the party or to an entity of its chain."""
    chain = (one["score"] for one in listed(data, "screen.ownership.nodes"))
    return max(at(data, "screen.sanctions.score"), *(one or 0 for one in chain), 0)


def scores(data: Data) -> Iterator[Row]:
    """Yield how near the nearest names are."""
    yield "Sanctions", at(data, "screen.sanctions.score"), f"{at(data, 'screen.sanctions.score')} %"
    pep = at(data, "screen.pep.score")
    yield "Office holders", pep, "not searched" if pep is None else f"{pep} %"
    for one in listed(data, "screen.ownership.nodes"):
        score = one["score"]
        yield one["name"], score, "not screened" if score is None else f"{num(score)} %"


def matches(data: Data) -> Iterator[tuple[str, ...]]:
    """Yield whom the party is named like: by which name, on which list, since when."""
    for path in ("screen.sanctions.matches", "screen.pep.matches", "screen.ownership.matches"):
        for one in listed(data, path):
            born = f"; born {', '.join(one['birthDates'])}" if one["birthDates"] else ""
            of = f"; of the chain: {one['owner']}" if "owner" in one else ""
            yield (
                f"{one['name']} ({words(one['type'])}{born}{of})",
                f"{one['matchedName']}, by {words(one['matchedBy'])}",
                f"{num(one['score'])} %",
                one["entityId"],
                ", ".join(one["programs"]) or "not told",
                one["listedOn"] or "not told",
            )


def searched(data: Data) -> Iterator[tuple[str, ...]]:
    """Yield the lists that were searched: for what, at which version, of which day."""
    lists = at(data, "screen.lists")
    for slug, version in lists["versions"].items():
        topics = [
            name
            for name, key in (("sanctions", "sanctions"), ("public offices", "offices"))
            if slug in lists[key]
        ]
        published = lists["published"].get(slug)
        yield (
            slug,
            " and ".join(topics) or "other",
            str(version),
            day(published) if published else "its publisher tells none",
        )


def chain(data: Data) -> Iterator[tuple[str, ...]]:
    """Yield the entities of the chain of ownership."""
    for one in listed(data, "screen.ownership.nodes"):
        score = "not screened" if one["score"] is None else f"{num(one['score'])} %"
        yield one["name"], one["lei"] or "none", words(one["role"]), one["country"] or "–", score


TABLES: tuple[Listing, ...] = (
    Listing(title="Matches", wide=(24, 20, 9, 24, 12, 11), rows=matches,
            columns=("On the list", "Matched name", "Score", "Entry", "Programmes", "Listed on")),
    Listing(title="Lists that were searched", wide=(40, 25, 10, 25), rows=searched,
            columns=("List", "Searched for", "Version", "Published")),
    Listing(title="Chain of ownership", wide=(36, 26, 14, 10, 14), rows=chain,
            columns=("Entity", "LEI", "Role", "Country", "Nearest listed name")),
)  # fmt: skip

CHARTS: tuple[Chart, ...] = (
    Chart(title="How near the nearest listed name is", bars=scores, low=0, high=100,
          mark=(70, "70: a match")),
)  # fmt: skip
