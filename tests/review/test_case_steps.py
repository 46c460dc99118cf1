"""Routing, merging, bulk, verifying and the evidence sheet, as officers see them."""

from datetime import date, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import Permission

from apps.backoffice.review import services
from apps.backoffice.review.admin import bulk_cases, cases
from apps.backoffice.review.models import BulkClear, Case
from apps.platform.ledger import sealer
from apps.platform.ledger.models import Seal
from tests.platform.tampering import sql, without_triggers
from tests.review.people import (
    NOON,
    NOTE,
    OFFICER,
    SENIOR,
    approve,
    at_desk,
    case,
    check_page,
    confirm,
    person,
)

QUEUE = "/admin/review/case/"


@pytest.fixture(autouse=True)
def _at_noon(monkeypatch: pytest.MonkeyPatch, db: Any) -> None:
    for module in (cases, bulk_cases):
        monkeypatch.setattr(module, "now", lambda: NOON)


def page(one: Case) -> str:
    return f"{QUEUE}{one.pk}/"


def test_put_aside_through_the_page_goes_on_to_the_next_case() -> None:
    one, other = case("1"), case("2")
    desk = at_desk(person("olivia", OFFICER))
    day = (NOON.date() + timedelta(days=2)).isoformat()
    answer = desk.post(f"{page(one)}snooze/", {"until": day, "note": NOTE})
    assert answer.headers["Location"] == page(other)
    html = check_page(desk.get(page(one)))
    assert "Snoozed until 22 Nov 08:00 UTC" in html and "Until 22 Nov 2026 08:00 UTC." in html


@pytest.mark.parametrize("until", ["", "tomorrow", "2026-11-20", "2027-11-20"])
def test_a_day_that_does_not_fit_is_refused_and_the_note_kept(until: str) -> None:
    new_case = case()
    desk = at_desk(person("olivia", OFFICER))
    html = check_page(
        desk.post(f"{page(new_case)}snooze/", {"until": until, "note": NOTE}), status=400
    )
    assert "Choose" in html and html.count(NOTE) == 1


def test_an_escalated_case_shows_its_officer_no_decision() -> None:
    new_case = case()
    desk = at_desk(person("olivia", OFFICER))
    desk.post(f"{page(new_case)}escalate/", {"note": NOTE})
    html = check_page(desk.get(page(new_case)))
    assert "escalated to the senior officers" in html and 'name="outcome"' not in html
    html = check_page(at_desk(person("samir", SENIOR)).get(page(new_case)))
    assert "Escalated: by an officer" in html and 'name="outcome"' in html


def test_assigning_through_the_page_and_in_bulk() -> None:
    olivia, samir = person("olivia", OFFICER), person("samir", SENIOR)
    samir.user_permissions.add(Permission.objects.get(codename="assign_case"))
    one, other = case("1"), case("2")
    desk = at_desk(samir)
    desk.post(f"{page(one)}assign/", {"to": "olivia"})
    assert "Assigned to <strong>olivia</strong>" in check_page(desk.get(page(one)))
    assert check_page(desk.post(f"{page(one)}assign/", {"to": "nobody"}), status=400)
    desk.post(f"{QUEUE}bulk/", {"do": "assign", "to": "olivia", "case": [one.pk, other.pk]})
    assert set(Case.objects.values_list("assigned_to", flat=True)) == {olivia.pk}
    assert "2 cases assigned" in check_page(desk.get(QUEUE))


def test_claiming_in_bulk_says_what_was_refused() -> None:
    ben, one, other = person("ben", OFFICER), case("1"), case("2")
    services.claim_case(case=other, by=ben, now=NOON)
    desk = at_desk(person("olivia", OFFICER))
    desk.post(f"{QUEUE}bulk/", {"do": "claim", "case": [one.pk, other.pk]})
    html = check_page(desk.get(QUEUE))
    assert "1 case claimed" in html and "ben has claimed this case" in html


@pytest.mark.parametrize("given", [{}, {"do": "claim"}, {"do": "claim", "case": ["x", "9" * 30]}])
def test_a_bulk_of_nothing_says_so(given: dict[str, Any]) -> None:
    desk = at_desk(person("olivia", OFFICER))
    desk.post(f"{QUEUE}bulk/", given)
    assert "Choose at least one case" in check_page(desk.get(QUEUE))


def test_clearing_together_is_proposed_by_one_and_confirmed_by_another() -> None:
    cases = [case(str(number)) for number in range(3)]
    olivia, samir = at_desk(person("olivia", OFFICER)), at_desk(person("samir", SENIOR))
    chosen = {"case": [one.pk for one in cases]}
    html = check_page(olivia.post(f"{QUEUE}bulk/", {"do": "clear", **chosen}, follow=True))
    assert "Propose to clear 3 cases" in html and "HADAD, Chen Ali" in html
    given = {"reason": "NAME_ONLY", "note": NOTE, **chosen}
    assert check_page(olivia.post(f"{QUEUE}bulk/clear/", given | {"note": "short"}), status=400)
    address = olivia.post(f"{QUEUE}bulk/clear/", given).headers["Location"]
    assert "another officer must confirm" in check_page(olivia.get(address))
    assert olivia.post(f"{address}confirm/", given).status_code == 403
    html = check_page(samir.get(address))
    for shown in ("Confirm ticked cases", NOTE, "Another party: only a common name agrees",
                  "75,735.90 USD", "REF-1", 'aria-label="Case '):  # fmt: skip
        assert shown in html, shown
    assert html.count(" checked>") == 4  # each case, and all of them
    assert '<select name="reason"' not in html
    given["seen"] = given["case"]
    other = given | {"reason": "DIFFERENT_PARTY"}
    html = check_page(samir.post(f"{address}confirm/", other), status=400)
    assert "Confirm the proposed reason" in html
    assert "bulk clear" in check_page(samir.get(QUEUE, {"view": "confirm"}))
    assert check_page(
        samir.post(f"{address}confirm/", given | {"case": [1], "seen": [1]}), status=409
    )
    assert samir.post(f"{address}confirm/", given).headers["Location"] == QUEUE
    assert set(Case.objects.values_list("status", flat=True)) == {"DECIDED"}
    assert "Nothing is left to confirm." in check_page(samir.get(address))


def test_a_case_that_is_unticked_goes_back_to_the_queue_with_its_own_note() -> None:
    cases = [case(str(number)) for number in range(3)]
    olivia, samir = at_desk(person("olivia", OFFICER)), at_desk(person("samir", SENIOR))
    numbers = [one.pk for one in cases]
    given = {"reason": "NAME_ONLY", "note": NOTE, "case": numbers}
    address = olivia.post(f"{QUEUE}bulk/clear/", given).headers["Location"]
    given |= {"seen": numbers, "case": numbers[1:]}
    html = check_page(samir.post(f"{address}confirm/", given), status=400)
    assert "Say why the unticked cases" in html and html.count(" checked>") == 3
    given["back"] = "This one has the listed birth year."
    html = check_page(samir.post(f"{address}confirm/", given, follow=True))
    assert "2 cases closed. 1 went back to the queue." in html
    stands = dict(Case.objects.values_list("pk", "status"))
    assert [stands[pk] for pk in numbers] == ["OPEN", "DECIDED", "DECIDED"]


def test_a_proposal_may_be_returned() -> None:
    new_case = case()
    olivia, samir = at_desk(person("olivia", OFFICER)), at_desk(person("samir", SENIOR))
    given = {"reason": "NAME_ONLY", "note": NOTE, "case": [new_case.pk], "seen": [new_case.pk]}
    olivia.post(f"{QUEUE}bulk/clear/", given)
    samir.post(f"{QUEUE}bulk/{BulkClear.objects.get().pk}/return/", given)
    new_case.refresh_from_db()
    assert (new_case.status, new_case.bulk) == ("OPEN", None)


def test_cases_that_cannot_be_cleared_together_say_why() -> None:
    one, other = case("1"), case("2", risk="HIGH")
    desk = at_desk(person("olivia", OFFICER))
    chosen = {"case": [one.pk, other.pk]}
    html = check_page(desk.post(f"{QUEUE}bulk/", {"do": "clear", **chosen}, follow=True))
    assert "HIGH risk case is decided by itself" in html and "Propose" not in html


def test_a_duplicate_is_merged_and_taken_out_through_the_page() -> None:
    one, twin = case("1"), case("2")
    desk = at_desk(person("olivia", OFFICER))
    assert f'<option value="{one.pk}">' in check_page(desk.get(page(twin)))
    desk.post(f"{page(twin)}merge/", {"into": str(one.pk), "note": NOTE})
    html = check_page(desk.get(page(twin)))
    assert f'merged into <a href="{page(one)}">' in html and 'name="outcome"' not in html
    assert "Merged into this case" in check_page(desk.get(page(one)))
    desk.post(f"{page(twin)}split/")
    assert 'name="outcome"' in check_page(desk.get(page(twin)))
    assert check_page(desk.post(f"{page(twin)}merge/", {"into": "x", "note": NOTE}), status=400)


def test_the_page_counts_open_cases_of_the_same_listed_party() -> None:
    new_case = case("1")
    case("2", party="Somebody Else"), case("3", evidence={})
    html = check_page(at_desk(person("olivia", OFFICER)).get(page(new_case)))
    assert "1 more open case matching the same listed party" in html
    assert "entity=OFAC%20SDN%3Aofac-123" in html


def test_what_each_qualifier_did_is_shown_in_points() -> None:
    evidence = {
        "matches": [
            {
                "name": "HADAD",
                "qualifiers": [
                    {
                        "what": "Birth date", "asked": "1980", "listed": "1961",
                        "agrees": False, "effect": "-25",
                    }
                ],
                "steps": [{"what": "Words in another order", "effect": "-4"}],
            }
        ]
    }  # fmt: skip
    html = check_page(at_desk(person("olivia", OFFICER)).get(page(case(evidence=evidence))))
    assert '<td class="num">-25</td>' in html and "Words in another order" in html


def test_a_case_verifies_before_and_after_it_is_sealed() -> None:
    olivia, samir = person("olivia", OFFICER), person("samir", SENIOR)
    one = confirm(approve(case(risk="HIGH"), olivia), samir)
    desk = at_desk(person("edgar", "Examiner"))
    html = check_page(desk.post(f"{page(one)}verify/"))
    assert "0 ledger links recomputed from 3 events" in html and "3 of them are waiting" in html
    sealer.seal_all_ledgers(now=NOON)
    html = check_page(desk.post(f"{page(one)}verify/"))
    assert (
        "Verification passed" in html
        and "3 ledger links" in html
        and "waiting for the sealer" not in html
    )
    assert desk.get(f"{page(one)}verify/").status_code == 405


@pytest.mark.parametrize(
    ("table", "change", "fault"),
    [
        ("review_decisionevent", {"payload": '{"note":"x"}'}, "the payload was altered"),
        (
            "review_decisionevent",
            {"recorded_at": NOON + timedelta(1)},
            "the record or its seal was altered",
        ),
        ("core_seal", {"digest": "0" * 64}, "the record or its seal was altered"),
        ("review_case", {"party": "Somebody Else"}, "differs from the record"),
    ],
)
def test_a_case_that_was_touched_does_not_verify(
    table: str, change: dict[str, Any], fault: str
) -> None:
    one = approve(case(), person("olivia", OFFICER))
    sealer.seal_all_ledgers(now=NOON)
    assert Seal.objects.filter(ledger="decisions").count() == 2
    column, value = next(iter(change.items()))
    with without_triggers():
        sql(f"UPDATE {table} SET {column} = %s", value)
    html = check_page(at_desk(person("edgar", "Examiner")).post(f"{page(one)}verify/"))
    assert "Verification failed" in html and fault in html


def test_the_evidence_sheet_says_all_that_an_examiner_asks() -> None:
    olivia, samir = person("olivia", OFFICER), person("samir", SENIOR)
    one = confirm(approve(case(risk="HIGH"), olivia), samir, note="Agreed: the dates differ.")
    sealer.seal_all_ledgers(now=NOON)
    html = check_page(at_desk(person("edgar", "Examiner")).get(f"{page(one)}evidence/"))
    for shown in (
        "1 §2.7 rule 3 partial", "HADAD, Chen Ali", "OFAC SDN", "version 12",
        "olivia", "confirmed by samir",
        NOTE, "Agreed: the dates differ.", "SECOND-1", one.facts_digest(),
        "verify the decision ledger",
        "printed 20 Nov 2026 12:00:00 UTC by edgar", "all 3 sealed links verify",
        *Seal.objects.filter(ledger="decisions").values_list("digest", flat=True),
    ):  # fmt: skip
        assert shown in html, shown


def test_every_key_of_the_help_sheet_belongs_to_something_on_a_page() -> None:
    new_case = case()
    desk = at_desk(person("olivia", OFFICER))
    html = (
        check_page(desk.get(page(new_case)))
        + check_page(desk.get(QUEUE))
        + check_page(desk.get("/admin/"))
    )
    for key in "arens/?":
        assert f'data-key="{key}"' in html, key
    assert "data-row" in html and "desk/keys.js" in html


def test_a_snooze_may_not_be_longer_than_the_form_says() -> None:
    html = check_page(at_desk(person("olivia", OFFICER)).get(page(case())))
    last = date(2026, 12, 20)
    assert f'max="{last.isoformat()}"' in html and 'min="2026-11-21"' in html


def test_take_next_skips_the_case_it_is_asked_from() -> None:
    one, other = case("1"), case("2")
    desk = at_desk(person("olivia", OFFICER))
    answer = desk.post(f"{QUEUE}next/", {"skip": str(one.pk)})
    assert answer.headers["Location"] == page(other)
