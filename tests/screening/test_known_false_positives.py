"""A partial match that two officers know to be another party does not flag; all else does."""

from collections.abc import Callable
from datetime import date, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest

from apps.backoffice.review import services
from apps.backoffice.review.models import Case, KnownFalsePositive
from apps.backoffice.review.selectors.known_false_positives import get_party_details
from apps.backoffice.review.services import known_false_positive_decisions
from apps.backoffice.review.services.known_false_positive_proposals import KnownProposal
from apps.compliance.screening.combined.evidence_view import build_evidence_view
from apps.compliance.screening.combined.listed_labels import label_listed_parties
from apps.compliance.screening.models import Screen
from apps.compliance.screening.rules.facts import ScreenFacts
from apps.compliance.screening.rules.known_false_positives import (
    ClearedMatch,
    ScoredMatch,
    can_clear_matches,
    exclude_known_matches,
    is_same_party,
)
from apps.compliance.screening.rules.screen import judge_screen
from apps.platform.crypto.canonical import canonical_digest
from tests.review.people import OFFICER, SENIOR, person
from tests.screening.conftest import PATH

PLAIN = ScreenFacts(source="US", source_label="STANDARD")
UNTIL = date(2027, 11, 1)
NOTE = "Only the name agrees, because the places and the trade are others."
KNOWN = {"l:1": ClearedMatch("l:1", "KFP-abc", UNTIL, 7)}


def judged(*scores: int, cleared: Any = KNOWN) -> Any:
    """Judge a party with a match of each score, the first of which is known to be another."""
    matches = [
        ScoredMatch(f"l:{n}", score, f"Party {n}") for n, score in enumerate(scores, start=1)
    ]
    facts = ScreenFacts(source="US", source_label="STANDARD", sanctions_score=scores[0])
    judgement = judge_screen(exclude_known_matches(facts, matches=matches, cleared=cleared))
    return (
        judgement.outcome.decision,
        [finding.code for finding in judgement.findings],
        judgement.risk_score,
    )


@pytest.mark.parametrize(
    ("scores", "decision", "codes"),
    [
        ((44,), "APPROVED", ["sanctions.known"]),
        ((45,), "APPROVED", ["sanctions.known"]),
        ((69,), "APPROVED", ["sanctions.known"]),
        ((70,), "BLOCKED", ["sanctions.match"]),
        ((69, 45), "FLAGGED", ["sanctions.partial", "sanctions.known"]),
        ((69, 44), "APPROVED", ["sanctions.known"]),
    ],
)
def test_it_clears_from_45_to_69_and_nothing_beside_it(
    scores: tuple[int, ...], decision: str, codes: list[str]
) -> None:
    assert judged(*scores)[:2] == (decision, codes)


def test_what_is_left_is_told_and_the_score_stays_as_it_was_found() -> None:
    decision, _, risk = judged(69, 50)
    assert (decision, risk) == ("FLAGGED", 69)
    facts = ScreenFacts(
        source="US", source_label="STANDARD", sanctions_score=69, sanctions_name="One"
    )
    rows = [ScoredMatch("l:1", 69, "One"), ScoredMatch("l:2", 50, "Two", ("Type agrees.",))]
    findings = judge_screen(exclude_known_matches(facts, matches=rows, cleared=KNOWN)).findings
    assert findings[0].reason == "Partial sanctions match at 50%: Two. Type agrees."
    assert findings[1].reason == (
        "Partial sanctions match at 69%: One, known to be another party "
        "(KFP-abc, until 2027-11-01)."
    )


@pytest.mark.parametrize(
    ("scores", "may"),
    [([], False), ([44], False), ([45], True), ([69], True), ([70], False), ([70, 60], False),
     ([69, 60, 50, 45], True), ([69, 60, 50, 46, 45, 45], True)],
)  # fmt: skip
def test_nothing_is_cleared_where_one_blocks_or_some_may_be_cut_off(
    scores: list[int], may: bool
) -> None:
    assert can_clear_matches(scores=scores, complete=True) is may
    assert not can_clear_matches(scores=scores, complete=False)


@pytest.mark.parametrize(
    ("then", "now", "same"),
    [
        ({}, [], True),
        ({"Birth date": "1980"}, [("Birth date", "1980")], True),
        ({"Birth date": "1980"}, [], False),
        ({}, [("Birth date", "1980")], False),
        ({"Birth date": "1980"}, [("Birth date", "1981")], False),
        ({"Passport": "2"}, [("Passport", "1"), ("Passport", "2")], False),
    ],
)
def test_a_party_is_the_same_where_all_that_is_known_of_it_is(
    then: dict[str, str], now: list[tuple[str, str]], same: bool
) -> None:
    assert is_same_party(then, now, keys=(True,)) is same
    assert not is_same_party(then, now, keys=(True, False))


PARTIAL = {"name": "Sberbank Leasing Consultants", "country": "DE"}


@pytest.fixture
def known(screen: Callable[..., dict[str, Any]]) -> KnownFalsePositive:
    """A flagged screen of which two officers found that its party is not the listed one."""
    answer = screen(**PARTIAL)
    assert answer["rules"] == ["sanctions.partial"], answer
    case = Case.objects.get(ref=answer["screenId"])
    moment = case.opened_at
    first, second = person("olivia", OFFICER), person("sven", SENIOR)
    keys = tuple(listed_party.key for listed_party in label_listed_parties(case.evidence))
    until = moment.date() + timedelta(days=200)
    proposed = KnownProposal(keys, until, get_party_details(build_evidence_view(case.evidence)))
    said = {"reason_code": "NAME_ONLY", "note": NOTE, "now": moment}
    case = services.decide_case(case=case, by=first, outcome="APPROVE", known=proposed, **said)
    if case.needs_second:
        services.confirm_decision(case=case, by=second, **said)
    for known_false_positive in KnownFalsePositive.objects.all():
        known_false_positive_decisions.approve_known(
            known=known_false_positive, by=second, note=NOTE, now=moment
        )
    return KnownFalsePositive.objects.latest("pk")


def test_a_live_screen_of_that_party_clears_and_says_why(
    known: KnownFalsePositive, screen: Callable[..., dict[str, Any]]
) -> None:
    answer = screen(**PARTIAL)
    assert (answer["decision"], answer["rules"]) == ("APPROVED", ["sanctions.known"])
    assert "known to be another party (KFP-" in answer["reasons"][0]
    assert known.expires_on.isoformat() in answer["reasons"][0]
    assert NOTE not in str(answer) and "olivia" not in str(answer)
    evidence = Screen.objects.get(screen_id=UUID(answer["screenId"])).data["evidence"]
    assert evidence["sanctions"] and evidence["knownFalse"][0]["case"] == known.case_id


def test_another_client_learns_nothing_of_it(
    known: KnownFalsePositive, caller: Callable[..., Any]
) -> None:
    answer = caller("Bob Treasury").post(PATH, PARTIAL, format="json").json()
    assert answer["decision"] == "FLAGGED" and "KFP-" not in str(answer)


@pytest.mark.parametrize(
    "other",
    [
        {"name": "Sberbank Leasing Consultant"},
        {"birthDate": "1980-01-01"},
        {"nationality": "RU"},
        {"entityType": "company"},
    ],
)
def test_another_party_is_flagged_as_before(
    known: KnownFalsePositive, screen: Callable[..., dict[str, Any]], other: dict[str, str]
) -> None:
    answer = screen(**PARTIAL | other)
    assert "sanctions.known" not in answer["rules"]


def _altered(known: KnownFalsePositive) -> None:
    KnownFalsePositive.objects.update(expires_on=known.expires_on + timedelta(days=1))


def _of_another_entry(known: KnownFalsePositive) -> None:
    from apps.reference.watchlists.models import EntityState

    for state in EntityState.objects.filter(data__topic="sanction"):
        state.data["birth_dates"] = ["1960"]
        state.digest = canonical_digest(state.data)
        state.save()


def _ended(known: KnownFalsePositive) -> None:
    officer = person("otto", OFFICER)
    for known_false_positive in KnownFalsePositive.objects.all():
        known_false_positive_decisions.end_known(
            known=known_false_positive, by=officer, note=NOTE, now=known_false_positive.decided_at
        )


@pytest.mark.parametrize("change", [_altered, _of_another_entry, _ended])
def test_it_holds_for_nobody_once_it_is_altered_ended_or_the_entry_is_another(
    known: KnownFalsePositive, screen: Callable[..., dict[str, Any]], change: Any
) -> None:
    change(known)
    assert screen(**PARTIAL)["decision"] == "FLAGGED"


@pytest.mark.parametrize(("days", "held"), [(0, True), (1, False)])
def test_it_holds_on_its_last_day_and_no_longer(
    known: KnownFalsePositive, days: int, held: bool
) -> None:
    from apps.backoffice.review.selectors.suppressions import load_suppressions

    last = datetime.combine(known.expires_on, datetime.min.time(), known.proposed_at.tzinfo)
    suppressions = load_suppressions(
        owner=known.owner, party_key=known.party_key, lei="", entities=[known.entity],
        now=last + timedelta(days=days, hours=12),
    )  # fmt: skip
    assert bool(suppressions) is held
