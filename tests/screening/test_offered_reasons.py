"""What the decision box offers of a screen's case, and how the notes begin, for every record."""

from collections.abc import Iterator
from typing import Any

from apps.backoffice.review.case_types import order_reasons
from apps.backoffice.review.models import Case
from apps.backoffice.review.rules.note_templates import (
    GAP,
    ComparedField,
    ListedMatch,
    NoteFacts,
    build_note_facts,
)
from apps.backoffice.review.views.evidence import draw_case_evidence
from apps.backoffice.review.views.note_templates import build_case_note_facts, fill_note_template
from apps.compliance.screening.case_types.screens import SCREEN
from apps.compliance.screening.models import Screen
from apps.entry.sandbox.seed import seed_desk
from tests.review.people import NOON, OFFICER, SENIOR, at_desk, check_page, person

BORN = ComparedField("Birth date", "1980", "1961")
PARTIAL = "1 §2.7 rule 3 partial"


def order(*listed: ListedMatch) -> list[str]:
    note_facts = NoteFacts(party="Chen Haddad", rules={}, listed=listed)
    offered = SCREEN.offered(outcome="APPROVE", refs=[PARTIAL, "1 §2.7 rule 4"])
    return [reason.code for reason in order_reasons(offered, note_facts)]


def hadad(**given: Any) -> ListedMatch:
    return ListedMatch(name="HADAD", list="OFAC SDN", entity="7", score="61", **given)


def test_what_the_comparison_shows_comes_first() -> None:
    differs = hadad(differs=(BORN,))
    place = ComparedField("Country", "MX", "ES")
    for unknown in (hadad(), hadad(agrees=(BORN,)), hadad(differs=(place,))):
        assert order(unknown) == ["NAME_ONLY", "DIFFERENT_PARTY", "OTHER"]
        assert order(unknown, differs) == ["DIFFERENT_PARTY", "NAME_ONLY", "OTHER"]


def test_the_box_offers_the_name_first_where_nothing_else_was_given(screen: Any) -> None:
    screen(name="Lazarus Funeral Group")
    case, desk = Case.objects.get(), at_desk(person("olivia", OFFICER))
    address = f"/admin/review/case/{case.pk}/"
    for _ in range(2):
        html = check_page(desk.get(address))
        assert 'value="NAME_ONLY" data-digit="1"' in html
        assert 'value="DIFFERENT_PARTY" data-digit="2"' in html


def evidences(screens: Any) -> Iterator[dict[str, Any]]:
    """Yield the evidence of the cases of screens."""
    for answer in screens:
        data = Screen.objects.get(screen_id=answer["screenId"]).data
        yield data["evidence"] | {"request": data["request"]}


def notes(evidence: dict[str, Any]) -> Iterator[str]:
    drawn = SCREEN.picture(evidence) if SCREEN.picture else {}
    note_facts = build_note_facts(
        party="Chen Haddad", rules=[{"ref": PARTIAL, "sentence": "s."}], picture=drawn
    )
    for reasons in SCREEN.reasons.values():
        yield from (fill_note_template(reason, note_facts) for reason in reasons)


def test_no_note_prints_what_is_no_word(screen: Any) -> None:
    answers = [
        screen(name="Wagner Group Travel"),
        screen(name="Lazarus Funeral Group", nationality="FR", address="1 High Street, Paris"),
        screen(name="Kim Jon Unn", individual=True, birthDate="1961-02-03"),
        screen(name="Trade Bank Korea", lei="5493001KJTIIGC8Y1R12"),
    ]
    said = [note for evidence in evidences(answers) for note in notes(evidence)]
    assert any("Matching words:" in note for note in said)
    for note in said:
        assert not any(sign in note for sign in ("{", "}", "None", "['")), note


def test_no_note_of_a_seeded_desk_prints_what_is_no_word(sample: None, db: Any) -> None:
    person("olivia", OFFICER)
    for name in ("samir", "sofia"):
        person(name, SENIOR)
    seed_desk(now=NOON, cases=25, seed=5)
    for case in Case.objects.all():
        note_facts = build_case_note_facts(case, draw_case_evidence(case))
        for reasons in SCREEN.reasons.values():
            for note in (fill_note_template(reason, note_facts) for reason in reasons):
                assert not any(sign in note for sign in ("{", "}", "None", "['")), note


def test_that_a_country_differs_finishes_no_note(screen: Any) -> None:
    [name_only] = [one for one in SCREEN.reasons["APPROVE"] if one.code == "NAME_ONLY"]
    for given in {}, {"nationality": "FR"}:
        answer = screen(name="Kim Jon Unn", individual=True, **given)
        evidence = Case.objects.get(ref=answer["screenId"]).evidence
        assert SCREEN.picture is not None
        note = fill_note_template(
            name_only, build_note_facts(party="P", rules=[], picture=SCREEN.picture(evidence))
        )
        assert note.endswith(GAP) and "Nothing but the name matches" not in note
        assert ("Differences: country France, listed " in note) is bool(given)
