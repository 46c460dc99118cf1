"""What is typed at the desk is not lost: forms name their drafts, and nothing is cut."""

import re
from datetime import timedelta
from typing import Any

import pytest

from apps.backoffice.review.models import Case
from apps.reference.countries import services as countries
from apps.reference.countries.models import CountryChange
from apps.reference.watchlists.models import Source
from apps.reference.watchlists.services import source_changes
from tests import desk_table
from tests.countries.test_admin import FORM as CHANGE
from tests.desk.proposal_steps import propose
from tests.review.people import NOON, NOTE, OFFICER, SENIOR, at_desk, case, check_page, person

ADD = "/admin/countries/countrychange/add/"


@pytest.mark.parametrize(
    ("group", "address"),
    [
        (SENIOR, ADD),
        (desk_table.OPERATOR, "/admin/access/keyrequest/add/"),
    ],
)
def test_a_proposals_form_names_the_draft_of_its_address(db: Any, group: str, address: str) -> None:
    html = check_page(at_desk(person("somebody", group)).get(address))
    assert f'data-draft="form-{address}"' in html


def test_what_is_typed_for_one_change_of_a_list_is_no_draft_of_another(db: Any) -> None:
    source = Source.objects.create(slug="house", title="House", topic="sanction", kind="in_house")
    ada, names = at_desk(person("ada", desk_table.OPERATOR)), set()
    for field in ("enabled", "max_age_hours"):
        address = f"/admin/watchlists/sourcechange/add/?source={source.pk}&field={field}"
        match = re.search(r'data-draft="(form-[^"]+)"', check_page(ada.get(address)))
        assert match
        names.add(match[1])
    value = {"source": source.pk, "field": "max_age_hours", "value": "9", "reason": NOTE}
    html = check_page(propose(ada, address, value, follow=True))
    assert len(names) == 2 and f"stored-{match[1]}" in html


def test_a_form_with_a_password_names_no_draft(db: Any) -> None:
    root = at_desk(person("root", superuser=True))
    assert "data-draft" not in check_page(root.get("/admin/auth/user/add/"))


def test_a_stored_proposal_lets_the_browser_drop_its_draft(db: Any) -> None:
    samir = at_desk(person("samir", SENIOR))
    html = check_page(propose(samir, ADD, CHANGE, follow=True))
    assert f"stored-form-{ADD}" in html


def test_the_choice_of_cases_has_an_address_of_its_own(db: Any) -> None:
    olivia = at_desk(person("olivia", OFFICER))
    chosen = {"case": [case(ref).pk for ref in "ab"]}
    answer = olivia.post("/admin/review/case/bulk/", chosen | {"do": "clear"})
    address = answer.headers["Location"]
    html = check_page(olivia.get(address))
    assert "Propose to clear 2 cases" in html
    assert f'action="{address.replace("&", "&amp;")}"' in html  # a session's end returns here
    assert "Choose at least one case" in check_page(
        olivia.get("/admin/review/case/bulk/clear/", follow=True)
    )


@pytest.mark.parametrize("decision", ["approve", "reject"])
def test_a_note_on_a_proposal_above_the_limit_decides_nothing_and_is_kept_whole(
    db: Any, decision: str
) -> None:
    propose(at_desk(person("samir", SENIOR)), ADD, CHANGE)
    change, sofia = CountryChange.objects.get(), at_desk(person("sofia", SENIOR))
    page = f"/admin/countries/countrychange/{change.pk}/"
    long = "y" * 501
    html = check_page(
        sofia.post(f"{page}decide/", {"decision": decision, "note": long}), status=409
    )
    assert f">{long}</textarea>" in html and "It has 501 characters: at most 500 are kept" in html
    change.refresh_from_db()
    assert change.state == "PROPOSED"
    sofia.post(f"{page}decide/", {"decision": decision, "note": long[:500]})
    change.refresh_from_db()
    assert change.note == long[:500] and change.state != "PROPOSED"


def test_a_note_on_a_proposal_that_a_colleague_decided_first_is_given_back(db: Any) -> None:
    propose(at_desk(person("samir", SENIOR)), ADD, CHANGE)
    change = CountryChange.objects.get()
    page = f"/admin/countries/countrychange/{change.pk}/decide/"
    sofia, sarah = (at_desk(person(name, SENIOR)) for name in ("sofia", "sarah"))
    sofia.post(page, {"decision": "approve"})
    html = check_page(sarah.post(page, {"decision": "reject", "note": NOTE}), status=409)
    assert "already been decided" in html and 'name="decision"' not in html
    assert f"readonly>{NOTE}</textarea>" in html


@pytest.mark.parametrize("step", ["reset", "end"])
def test_a_reason_that_is_refused_for_a_person_is_kept_in_its_own_box(db: Any, step: str) -> None:
    olivia, samir = person("olivia", OFFICER), at_desk(person("samir", SENIOR))
    long = "Olivia lost her phone. " * 200
    address = f"/admin/staff/person/{olivia.pk}/{step}/"
    html = check_page(samir.post(address, {"reason": long}), status=400)
    assert html.count(long) == 1 and f"It has {len(long)} characters: at most 4000 are kept" in html
    box = html.split(f'action="{address}"')[1].split("</form>")[0]
    assert long in box


@pytest.mark.parametrize("length", [500, 501])
def test_a_reason_of_a_proposal_is_kept_whole_or_shown_again(db: Any, length: int) -> None:
    samir, reason = at_desk(person("samir", SENIOR)), "y" * length
    answer = propose(samir, ADD, CHANGE | {"reason": reason})
    if length > 500:
        html = check_page(answer)
        assert reason in html and "at most 500 characters" in html
        assert not CountryChange.objects.exists()
    else:
        assert CountryChange.objects.get().reason == reason


def test_an_operators_reason_at_a_shell_is_refused_and_not_cut(db: Any) -> None:
    source = Source.objects.create(slug="house", title="House", topic="sanction", kind="in_house")
    given = {"source": source, "field": "required", "after": True, "by": person("ada")}
    with pytest.raises(source_changes.SourceChangeConflict, match="It has 501 characters"):
        source_changes.propose_source_change(**given, reason="z" * 501, now=NOON)
    assert (
        source_changes.propose_source_change(**given, reason="z" * 500, now=NOON).reason
        == "z" * 500
    )


def test_what_ends_a_listing_stands_whole_beside_what_began_it(db: Any) -> None:
    began, ended = "a" * 300, "b" * 300
    samir, sofia = person("samir", SENIOR), person("sofia", SENIOR)
    given = {"list": "EU_HIGH_RISK", "country": "NG", "by": samir, "now": NOON}
    day = NOON.date()
    first = countries.propose_change(kind="ADD", effective=day, source=began, **given)
    countries.approve_change(change=first, by=sofia, now=NOON)
    later = day + timedelta(days=1)
    second = countries.propose_change(kind="END", effective=later, source=ended, **given)
    listing = countries.approve_change(change=second, by=sofia, now=NOON)
    listing.refresh_from_db()
    assert listing.source == f"{began}; ended: {ended}"


def test_a_note_above_the_limit_is_refused_and_kept_whole(db: Any) -> None:
    one, olivia = case(), at_desk(person("olivia", OFFICER))
    address = f"/admin/review/case/{one.pk}/"
    page = check_page(olivia.get(address))
    assert 'data-most="4000"' in page and "maxlength" not in page.split('name="note"')[1][:120]
    long = NOTE * 110
    given = {"outcome": "APPROVE", "reason_APPROVE": "NAME_ONLY", "note": long}
    html = check_page(olivia.post(f"{address}decide/", given), status=400)
    assert long in html and "at most 4000 are kept" in html
    assert Case.objects.get().status == "OPEN"
