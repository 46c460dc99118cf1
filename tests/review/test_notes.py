"""Notes begin from the case and say only what is so; they are never stamps."""

from typing import Any

import pytest

from apps.backoffice.review.case_types import Reason
from apps.backoffice.review.models import Case
from apps.backoffice.review.rules.note_templates import (
    LEFT_OPEN,
    NoteFacts,
    build_note_facts,
    find_unfinished_note_fault,
)
from tests.review import sample_case_type
from tests.review.people import NOON, NOTE, OFFICER, approve, at_desk, case, check_page, person

OPEN = "Chen Haddad is another person because …"


@pytest.mark.parametrize(
    ("note", "template", "fault"),
    [
        (OPEN, OPEN, LEFT_OPEN),
        ("Chen  Haddad is another person because", OPEN, LEFT_OPEN),
        ("Chen Haddad is another person because.", OPEN, LEFT_OPEN),
        (f"{OPEN}he is twenty years old.", OPEN, LEFT_OPEN),
        ("Chen Haddad is another person because young.", OPEN, LEFT_OPEN),
        ("Chen Haddad is another person because 123456789", OPEN, LEFT_OPEN),
        ("Chen Haddad is another person because 1234567890", OPEN, ""),
        ("A: seen the register. B: …", "A: … B: …", LEFT_OPEN),
        ("A: … B: seen the passport.", "A: … B: …", LEFT_OPEN),
        ("A: B: seen the passport.", "A: … B: …", LEFT_OPEN),
        ("A: seen the register. B: seen the passport.", "A: … B: …", ""),
        ("He is twenty years old… and more.", "The whole.", ""),
        ("Something else entirely …", "", LEFT_OPEN),
        ("Chen Haddad is another person because he is twenty.", OPEN, ""),
        ("The birth dates differ: 1980 and 1961.", "The birth dates differ: 1980 and 1961.", ""),
    ],
)
def test_a_note_that_leaves_off_where_its_template_does_is_refused(
    note: str, template: str, fault: str
) -> None:
    assert find_unfinished_note_fault(note=note, template=template) == fault


def test_what_a_template_may_say_is_what_the_page_shows() -> None:
    match = {
        "name": "HADAD", "list": "OFAC SDN", "entity": "7", "score": 61,
        "pairs": [{"asked": "chen", "listed": "chen", "same": True},
                  {"asked": "haddad", "listed": "hadad", "same": False}],
        "only_listed": ["ali"],
        "qualifiers": [
            {"what": "Birth date", "asked": "1980", "listed": "1961", "agrees": False,
             "effect": "-25"},
            {"what": "Nationality", "asked": "AE", "listed": "AE", "agrees": True, "effect": "+3"},
            {"what": "Passport", "asked": "N1", "listed": "", "agrees": True, "effect": "0"},
            {"what": "Score limits", "asked": "", "listed": "", "agrees": False,
             "alone": True, "effect": "-6"},
        ],
    }  # fmt: skip
    chain = [{"name": "A"}, {"name": "B", "finding": "C at 61%", "hit": True}]
    note_facts = build_note_facts(party="P", rules=[{"ref": "r", "sentence": "s"}],
                 picture={"matches": [match], "chain": chain})  # fmt: skip
    [listed] = note_facts.listed
    assert (listed.same, listed.unlike) == (("chen",), ("haddad/hadad", "ali"))
    assert [differ.what for differ in listed.differs] == ["Birth date"]
    assert [agree.what for agree in listed.agrees] == ["Nationality"]
    assert (note_facts.owners, note_facts.hits, note_facts.rules) == (
        ("B",),
        ("B: C at 61%",),
        {"r": "s"},
    )


def templated(monkeypatch: pytest.MonkeyPatch, *, text: str) -> None:
    def note(known: NoteFacts) -> str:
        return f"{known.party}: {text}"

    reasons = {"APPROVE": (Reason("NAME_ONLY", "Only the name", "FATF R.6", note=note),)}
    sample_case_type.use(monkeypatch, reasons=reasons | {"REJECT": ()})


def send(one: Case, **given: Any) -> Any:
    desk = at_desk(person("olivia", OFFICER))
    values = {"outcome": "APPROVE", "reason_APPROVE": "NAME_ONLY", "note": NOTE} | given
    return desk.post(f"/admin/review/case/{one.pk}/decide/", values)


def test_each_reason_bears_its_digit_and_its_note(db: Any) -> None:
    new_case = case()
    html = check_page(at_desk(person("olivia", OFFICER)).get(f"/admin/review/case/{new_case.pk}/"))
    assert 'value="NAME_ONLY" data-digit="2"' in html
    assert 'name="reason_REJECT"' in html


def test_a_template_that_carries_its_reason_may_stand_as_it_is(
    db: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    templated(monkeypatch, text="born 1980, not 1961.")
    new_case = case()
    assert send(new_case, note="Chen Haddad: born 1980, not 1961.").status_code == 302
    new_case.refresh_from_db()
    assert new_case.status == "DECIDED"


def test_a_template_that_leaves_off_is_refused_and_kept(
    db: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    templated(monkeypatch, text="another, because …")
    new_case = case()
    html = check_page(send(new_case, note="Chen Haddad: another, because …"), status=400)
    assert "in your own words" in html
    new_case.refresh_from_db()
    assert new_case.status == "OPEN"


def stamp_of(html: str) -> str:
    return html.split('name="seen" value="')[1].split('"')[0]


def test_a_form_that_is_sent_twice_decides_once_and_is_told_kindly(db: Any) -> None:
    one, desk = case(), at_desk(person("olivia", OFFICER))
    address = f"/admin/review/case/{one.pk}/"
    seen = stamp_of(check_page(desk.get(address)))
    given = {"outcome": "APPROVE", "reason_APPROVE": "NAME_ONLY", "note": NOTE, "seen": seen}
    assert desk.post(f"{address}decide/", given).status_code == 302
    html = check_page(desk.post(f"{address}decide/", given), status=409)
    assert "You have already decided this case. Nothing was changed." in html
    assert one.events.filter(action="DECIDED").count() == 1


def test_a_form_from_before_a_return_decides_nothing_anew(db: Any) -> None:
    one, olivia = case(risk="HIGH"), person("olivia", OFFICER)
    desk, samir = at_desk(olivia), at_desk(person("samir", "Senior officer"))
    address = f"/admin/review/case/{one.pk}/"
    seen = stamp_of(check_page(desk.get(address)))
    given = {"outcome": "APPROVE", "reason_APPROVE": "NAME_ONLY", "note": NOTE, "seen": seen}
    desk.post(f"{address}decide/", given)
    samir.post(f"{address}return/", {"note": NOTE})
    html = check_page(desk.post(f"{address}decide/", given), status=409)
    assert "changed in the meantime" in html and 'name="outcome"' in html and NOTE in html
    one.refresh_from_db()
    assert one.status == "OPEN"


def test_what_joined_the_case_since_is_not_decided_unseen(db: Any) -> None:
    from apps.backoffice.review import services

    one, twin, olivia = case("1"), case("2"), person("olivia", OFFICER)
    desk = at_desk(olivia)
    address = f"/admin/review/case/{one.pk}/"
    seen = stamp_of(check_page(desk.get(address)))
    services.merge_case(duplicate=twin, into=one, by=olivia, note=NOTE, now=NOON)
    given = {"outcome": "APPROVE", "reason_APPROVE": "NAME_ONLY", "note": NOTE, "seen": seen}
    assert check_page(desk.post(f"{address}decide/", given), status=409)


def test_who_was_slower_keeps_the_text_to_copy_and_sees_who_decided(db: Any) -> None:
    one, ben = case(), person("ben", OFFICER)
    approve(one, ben, note="The passport was shown.")
    html = check_page(send(one, note="My own long words."), status=409)
    kept = html.split('data-kept="')[1]
    assert kept.index("readonly>My own long words.</textarea>") < 400
    assert "by ben" in html and "12:00 UTC" in html and "decided in the meantime" in html
    html = check_page(at_desk(ben).get(f"/admin/review/case/{one.pk}/"))
    assert f'data-kept="{one.pk}-decision" hidden' in html


def test_the_question_before_committing_names_party_case_and_amount(db: Any) -> None:
    new_case = case()
    html = check_page(at_desk(person("olivia", OFFICER)).get(f"/admin/review/case/{new_case.pk}/"))
    asked = html.split('<dialog id="commit"')[1].split("</dialog>")[0]
    for named in ("Chen Haddad", f"Case {new_case.pk}", "25,245.30 USD", "medium risk"):
        assert named in asked


def test_the_page_after_a_decision_names_the_draft_that_is_stored(db: Any) -> None:
    one, desk = case(), at_desk(person("olivia", OFFICER))
    given = {"outcome": "APPROVE", "reason_APPROVE": "NAME_ONLY", "note": NOTE}
    desk.post(f"/admin/review/case/{one.pk}/decide/", given)
    assert f"stored-{one.pk}-decision" in check_page(desk.get("/admin/review/case/"))
    assert "stored-" not in check_page(desk.get("/admin/review/case/"))
