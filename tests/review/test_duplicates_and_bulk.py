"""Duplicates that share one decision, and clearing one listed party's cases in bulk."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction

from apps.backoffice.review import services
from apps.backoffice.review.case_types import RuleLabel
from apps.backoffice.review.models import BulkClear, Case
from tests.review import sample_case_type
from tests.review.merges import APPLIED, merge
from tests.review.people import NOON, NOTE, approve, case, confirm, person, steps

pytestmark = pytest.mark.usefixtures("decisions_recorded")


def clear(cases: list[Case], by: User, **given: Any) -> BulkClear:
    values = {"reason_code": "NAME_ONLY", "note": NOTE, "now": NOON} | given
    return services.propose_bulk_clear(cases=cases, by=by, **values)


# --- duplicates -----------------------------------------------------------------------


def test_a_duplicate_leaves_the_queue_and_ends_as_the_other_does(olivia: User) -> None:
    one, twin = case("1"), case("2")
    twin = merge(twin, one, olivia)
    assert twin.merged_into == one
    assert list(Case.objects.undecided()) == [one]
    approve(one, olivia)
    twin.refresh_from_db()
    assert (twin.status, twin.outcome, twin.first_by) == ("DECIDED", "APPROVE", olivia)
    assert sorted(APPLIED) == ["1 APPROVE", "2 APPROVE"]
    assert steps(twin) == ["OPENED", "MERGED", "DECIDED"]
    data = twin.events.get(action="DECIDED").data
    assert (data["with_case"], data["digest"]) == (one.pk, twin.facts_digest())


def test_a_duplicate_of_a_grave_case_is_closed_by_two_officers(olivia: User, samir: User) -> None:
    new_case = case("1", risk="HIGH")
    twin = merge(case("2", risk="HIGH"), new_case, olivia)
    waiting = approve(new_case, olivia)
    twin.refresh_from_db()
    assert twin.status == "OPEN" and APPLIED == []
    confirm(waiting, samir)
    twin.refresh_from_db()
    assert (twin.status, twin.first_by, twin.second_by) == ("DECIDED", olivia, samir)


def test_a_duplicate_is_neither_claimed_nor_decided_by_itself(olivia: User, ben: User) -> None:
    one, twin = case("1"), case("2")
    merge(twin, one, olivia)
    with pytest.raises(services.CaseMerged, match=f"into case {one.pk}"):
        services.claim_case(case=twin, by=ben, now=NOON)
    with pytest.raises(services.CaseMerged):
        approve(twin, ben)


def test_a_duplicate_whose_facts_were_altered_stops_the_decision(olivia: User) -> None:
    one, twin = case("1"), case("2")
    merge(twin, one, olivia)
    Case.objects.filter(pk=twin.pk).update(risk_score=1)
    with pytest.raises(services.EvidenceAltered):
        approve(one, olivia)
    one.refresh_from_db()
    assert one.status == "OPEN"


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"party": "Somebody Else"}, "a different party"),
        ({"owner": "account:2"}, "same kind and client"),
        ({"risk": "HIGH"}, "needs a second officer"),
    ],
)
def test_what_is_no_duplicate_is_not_merged(olivia: User, given: dict[str, str], why: str) -> None:
    with pytest.raises(services.CasesNotMergeable, match=why):
        merge(case("2", **given), case("1"), olivia)


def test_merges_make_no_chains_and_no_circles(olivia: User) -> None:
    one, two, three = case("1"), case("2"), case("3")
    with pytest.raises(services.CasesNotMergeable):
        merge(one, one, olivia)
    merge(two, one, olivia)
    for duplicate, into in ((one, two), (one, three), (three, two)):
        with pytest.raises(services.CasesNotMergeable):
            merge(duplicate, into, olivia)


def test_what_is_decided_takes_no_duplicates(olivia: User) -> None:
    one = approve(case("1"), olivia)
    with pytest.raises(services.CasesNotMergeable, match="no longer open"):
        merge(case("2"), one, olivia)


def test_a_duplicate_can_be_taken_out_again(olivia: User, samir: User) -> None:
    new_case = case("1", risk="HIGH")
    twin = merge(case("2", risk="HIGH"), new_case, olivia)
    apart = services.split_merged_case(case=twin, by=olivia, now=NOON)
    assert apart.merged_into is None and steps(twin) == ["OPENED", "MERGED", "SPLIT"]
    with pytest.raises(services.CasesNotMergeable):
        services.split_merged_case(case=apart, by=olivia, now=NOON)
    twin = merge(apart, new_case, olivia)
    approve(new_case, olivia)
    with pytest.raises(services.CasesNotMergeable, match="first decision"):
        services.split_merged_case(case=twin, by=olivia, now=NOON)


# --- bulk -----------------------------------------------------------------------------


def test_claiming_many_takes_what_is_free_and_says_what_is_not(olivia: User, ben: User) -> None:
    free, held = case("1"), services.claim_case(case=case("2"), by=ben, now=NOON)
    refused = services.claim_cases(cases=[free, held], by=olivia, now=NOON)
    assert [(one.pk, "ben has claimed" in why) for one, why in refused] == [(held.pk, True)]
    free.refresh_from_db()
    assert free.holder(NOON) == olivia


def test_no_more_than_the_cap_at_once(olivia: User) -> None:
    new_case = case()
    with pytest.raises(services.BulkNotPossible):
        services.claim_cases(cases=[new_case] * 26, by=olivia, now=NOON)


def test_clearing_in_bulk_takes_a_second_officer_whatever_the_risk(
    olivia: User, samir: User
) -> None:
    cases = [case(str(number)) for number in range(3)]
    assert not any(one.needs_second for one in cases)
    bulk = clear(cases, olivia)
    assert APPLIED == []
    assert set(bulk.cases.values_list("status", "first_by")) == {("AWAITING_SECOND", olivia.pk)}
    numbers = [one.pk for one in cases]
    given = {"seen": numbers, "ticked": numbers, "reason_code": "NAME_ONLY", "note": NOTE}
    assert services.confirm_bulk_clear(bulk=bulk, by=samir, now=NOON, **given) == 3
    assert set(bulk.cases.values_list("status", "second_by")) == {("DECIDED", samir.pk)}
    assert len(APPLIED) == 3 and steps(cases[0]) == ["OPENED", "PROPOSED", "DECIDED"]


def test_nobody_confirms_their_own_bulk(samir: User, olivia: User) -> None:
    cases = [case("1"), case("2")]
    bulk = clear(cases, samir)
    numbers = [one.pk for one in cases]
    given = {"seen": numbers, "ticked": numbers, "reason_code": "NAME_ONLY", "note": NOTE}
    with pytest.raises(services.SameOfficer):
        services.confirm_bulk_clear(bulk=bulk, by=samir, now=NOON, **given)
    with pytest.raises(services.StepNotAllowed):
        services.confirm_bulk_clear(bulk=bulk, by=olivia, now=NOON, **given)


def test_the_database_wants_four_eyes_for_a_bulk_too(olivia: User) -> None:
    clear([case("1")], olivia)
    closing = {"status": "DECIDED", "outcome": "APPROVE", "reason_code": "X", "decided_at": NOON}
    for change in (closing, closing | {"second_by": olivia, "second_at": NOON}):
        with pytest.raises(IntegrityError, match="case_four_eyes"), transaction.atomic():
            Case.objects.update(**change)


def test_a_bulk_that_cannot_be_whole_is_not_made(olivia: User, ben: User) -> None:
    free, held = case("1"), services.claim_case(case=case("2"), by=ben, now=NOON)
    with pytest.raises(services.ClaimedByOther):
        clear([free, held], olivia)
    free.refresh_from_db()
    assert free.status == "OPEN" and not BulkClear.objects.exists()


@pytest.mark.parametrize(
    ("given", "error"),
    [
        ({"reason_code": "PEP_ACCEPTED"}, services.InvalidDecision),
        ({"reason_code": ""}, services.InvalidDecision),
        ({"note": "short"}, services.InvalidDecision),
    ],
)
def test_a_bulk_needs_a_reason_that_holds_for_all(
    olivia: User, given: dict[str, str], error: type[Exception]
) -> None:
    with pytest.raises(error):
        clear([case("1")], olivia, **given)
    assert not BulkClear.objects.exists()


def test_high_risk_and_other_parties_are_not_cleared_in_bulk(olivia: User) -> None:
    for other in (case("2", risk="HIGH"), case("3", evidence={})):
        with pytest.raises(services.BulkNotPossible):
            clear([case("1"), other], olivia)


def test_a_returned_bulk_is_open_again_and_no_bulk_any_more(olivia: User, samir: User) -> None:
    cases = [case("1"), case("2")]
    bulk = clear(cases, olivia)
    pks = [one.pk for one in cases]
    assert services.return_bulk_clear(bulk=bulk, seen=pks, by=samir, note=NOTE, now=NOON) == 2
    assert set(Case.objects.values_list("status", "bulk")) == {("OPEN", None)}
    with pytest.raises(services.BulkNotPossible):
        services.return_bulk_clear(bulk=bulk, seen=pks, by=samir, note=NOTE, now=NOON)
    assert approve(Case.objects.get(pk=cases[0].pk), olivia).status == "DECIDED"


def test_a_bulk_that_changed_since_it_was_read_is_not_confirmed(
    olivia: User, samir: User, db: Any
) -> None:
    cases = [case("1"), case("2")]
    bulk = clear(cases, olivia)
    confirm(Case.objects.get(pk=cases[0].pk), person("sofia", "Senior officer"))
    given = {"reason_code": "NAME_ONLY", "note": NOTE, "by": samir, "now": NOON}
    with pytest.raises(services.BulkNotPossible, match="changed in the meantime"):
        numbers = [one.pk for one in cases]
        services.confirm_bulk_clear(bulk=bulk, seen=numbers, ticked=numbers, **given)
    left = [cases[1].pk]
    assert services.confirm_bulk_clear(bulk=bulk, seen=left, ticked=left, **given) == 1


def test_unticked_cases_go_back_while_the_rest_is_confirmed(olivia: User, samir: User) -> None:
    cases = [case(str(number)) for number in range(3)]
    bulk = clear(cases, olivia)
    pks = [one.pk for one in cases]
    given = {"bulk": bulk, "by": samir, "reason_code": "NAME_ONLY", "note": NOTE, "now": NOON}
    with pytest.raises(services.InvalidDecision, match="unticked"):
        services.confirm_bulk_clear(seen=pks, ticked=pks[:2], **given)
    assert bulk.cases.filter(status="AWAITING_SECOND").count() == 3
    back = "This one has the listed birth year."
    assert services.confirm_bulk_clear(seen=pks, ticked=pks[:2], back=back, **given) == 2
    stands = dict(Case.objects.values_list("pk", "status"))
    assert [stands[pk] for pk in pks] == ["DECIDED", "DECIDED", "OPEN"]
    assert steps(cases[2]) == ["OPENED", "PROPOSED", "RETURNED"]
    assert cases[2].events.get(action="RETURNED").data["note"] == back


@pytest.mark.parametrize("ticked", [[], [0]])
def test_nothing_ticked_or_something_else_confirms_nothing(
    olivia: User, samir: User, ticked: list[int]
) -> None:
    cases = [case("1"), case("2")]
    bulk = clear(cases, olivia)
    given = {"reason_code": "NAME_ONLY", "note": NOTE, "by": samir, "now": NOON, "back": NOTE}
    with pytest.raises(services.BulkNotPossible):
        services.confirm_bulk_clear(
            bulk=bulk, seen=[one.pk for one in cases], ticked=ticked, **given
        )
    assert bulk.cases.filter(status="AWAITING_SECOND").count() == 2


def test_identical_hits_are_cleared_together_though_some_carry_what_only_informs(
    olivia: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = {"X note": RuleLabel("The LEI is not known", informs=True), "X grave": RuleLabel("No")}
    sample_case_type.use(monkeypatch, rules=words)
    hit = {"ref": "1 §2.7 rule 3 partial", "sentence": "The name resembles a listed one."}
    more = {"ref": "X note", "sentence": "Nothing is known of the LEI."}
    cases = [case("1", reasons=[hit]), *(case(n, reasons=[more, hit]) for n in "23")]
    assert clear(cases, olivia).cases.count() == 3
    grave = {"ref": "X grave", "sentence": "Another thing."}
    unlike = [case("4", reasons=[hit]), case("5", reasons=[hit, grave])]
    with pytest.raises(services.BulkNotPossible, match="different reasons"):
        clear(unlike, olivia)
