"""A partial match that two officers know to be another party does not flag; all else does."""

from collections.abc import Callable
from datetime import date, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest

from apps.review import actions
from apps.review.actions import known_steps
from apps.review.actions.knowing import Proposed
from apps.review.models import Case, KnownFalsePositive
from apps.review.telling import party_of
from apps.screening.combined.known import listed_labels
from apps.screening.combined.picture import picture
from apps.screening.models import Screen
from apps.screening.rules.facts import Facts
from apps.screening.rules.known import Cleared, Scored, may_clear, same_party, without_known
from apps.screening.rules.screen import judge
from tests.review.people import OFFICER, SENIOR, person
from tests.screening.conftest import PATH

PLAIN = Facts(source="US", source_label="STANDARD")
UNTIL = date(2027, 11, 1)
NOTE = "Only the name agrees, because the places and the trade are others."
KNOWN = {"l:1": Cleared("l:1", "KFP-abc", UNTIL, 7)}


def judged(*scores: int, cleared: Any = KNOWN) -> Any:
    """Judge a party with a match of each score, the first of which is known to be another."""
    matches = [Scored(f"l:{n}", score, f"Party {n}") for n, score in enumerate(scores, start=1)]
    facts = Facts(source="US", source_label="STANDARD", sanctions_score=scores[0])
    found = judge(without_known(facts, matches=matches, cleared=cleared))
    return found.outcome.decision, [one.code for one in found.findings], found.risk_score


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
    facts = Facts(source="US", source_label="STANDARD", sanctions_score=69, sanctions_name="One")
    rows = [Scored("l:1", 69, "One"), Scored("l:2", 50, "Two", ("Type agrees.",))]
    found = judge(without_known(facts, matches=rows, cleared=KNOWN)).findings
    assert found[0].reason == "Partial sanctions match at 50%: Two. Type agrees."
    assert found[1].reason == (
        "Partial sanctions match at 69%: One, known to be another party "
        "(KFP-abc, until 2027-11-01)."
    )


@pytest.mark.parametrize(
    ("scores", "may"),
    [([], False), ([44], False), ([45], True), ([69], True), ([70], False), ([70, 60], False),
     ([69, 60, 50, 45], True), ([69, 60, 50, 46, 45], False)],
)  # fmt: skip
def test_nothing_is_cleared_where_one_blocks_or_some_may_be_cut_off(
    scores: list[int], may: bool
) -> None:
    assert may_clear(scores=scores, shown=5) is may


@pytest.mark.parametrize(
    ("then", "now", "same"),
    [
        ({}, [], True),
        (None, [], False),
        ({"Birth date": "1980"}, [("Birth date", "1980")], True),
        ({"Birth date": "1980"}, [], False),
        ({}, [("Birth date", "1980")], False),
        ({"Birth date": "1980"}, [("Birth date", "1981")], False),
        ({"Passport": "2"}, [("Passport", "1"), ("Passport", "2")], False),
    ],
)
def test_a_party_is_the_same_where_all_that_is_known_of_it_is(
    then: dict[str, str] | None, now: list[tuple[str, str]], same: bool
) -> None:
    assert same_party(then, now, keys=(True,)) is same
    assert not same_party(then, now, keys=(True, False))


PARTIAL = {"name": "Sberbank Leasing Consultants", "country": "DE"}


@pytest.fixture
def known(screen: Callable[..., dict[str, Any]]) -> KnownFalsePositive:
    """A flagged screen of which two officers found that its party is not the listed one."""
    answer = screen(**PARTIAL)
    assert answer["rules"] == ["sanctions.partial"], answer
    case = Case.objects.get(ref=answer["screenId"])
    moment = case.opened_at
    first, second = person("olivia", OFFICER), person("sven", SENIOR)
    keys = tuple(one.key for one in listed_labels(case.evidence))
    until = moment.date() + timedelta(days=200)
    proposed = Proposed(keys, until, party_of(picture(case.evidence)))
    said = {"reason_code": "NAME_ONLY", "note": NOTE, "now": moment}
    case = actions.decide(case=case, by=first, outcome="APPROVE", known=proposed, **said)
    if case.needs_second:
        actions.confirm(case=case, by=second, **said)
    for one in KnownFalsePositive.objects.all():
        known_steps.approve(known=one, by=second, note=NOTE, now=moment)
    return KnownFalsePositive.objects.latest("pk")


def test_a_live_screen_of_that_party_clears_and_says_why(
    known: KnownFalsePositive, screen: Callable[..., dict[str, Any]]
) -> None:
    answer = screen(**PARTIAL)
    assert (answer["decision"], answer["rules"]) == ("APPROVED", ["sanctions.known"])
    assert "known to be another party (KFP-" in answer["reasons"][0]
    assert known.expires_on.isoformat() in answer["reasons"][0]
    assert NOTE not in str(answer) and "olivia" not in str(answer)
    kept = Screen.objects.get(screen_id=UUID(answer["screenId"])).data["evidence"]
    assert kept["sanctions"] and kept["knownFalse"][0]["case"] == known.case_id


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
    from apps.watchlists.models import EntityState

    EntityState.objects.update(digest="f" * 64)


def _ended(known: KnownFalsePositive) -> None:
    officer = person("otto", OFFICER)
    for one in KnownFalsePositive.objects.all():
        known_steps.end(known=one, by=officer, note=NOTE, now=one.decided_at)


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
    from apps.review.suppressing import holding

    last = datetime.combine(known.expires_on, datetime.min.time(), known.proposed_at.tzinfo)
    found = holding(
        owner=known.owner, party_key=known.party_key, lei="", entities=[known.entity],
        now=last + timedelta(days=days, hours=12),
    )  # fmt: skip
    assert bool(found) is held
