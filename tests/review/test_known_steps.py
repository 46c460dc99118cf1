"""Known false positives take two people; each step is recorded, and none goes another way."""

from datetime import date, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction

from apps.backoffice.review import services
from apps.backoffice.review.known_false_positive_integrity import verify_known_false_positives
from apps.backoffice.review.models import Case, KnownEvent, KnownFalsePositive
from apps.backoffice.review.services import known_false_positive_decisions
from apps.backoffice.review.services.known_false_positive_proposals import (
    InvalidKnownFalsePositive,
    KnownProposal,
)
from apps.backoffice.review.services.known_false_positive_transitions import (
    KnownFalsePositiveConflict,
)
from apps.platform.ledger import sealer
from tests.platform.tampering import sql, without_triggers
from tests.review import sample_known_false_positives
from tests.review.people import NOON, NOTE, approve, case
from tests.review.people import confirm as confirm_case
from tests.review.sample_known_false_positives import (
    ENTITY,
    UNTIL,
    WHY,
    Lists,
    confirm,
    in_force,
    propose,
)

pytestmark = pytest.mark.django_db
TABLE = KnownFalsePositive._meta.db_table
DAY = timedelta(days=1)


@pytest.fixture(autouse=True)
def lists(monkeypatch: pytest.MonkeyPatch) -> Lists:
    return sample_known_false_positives.use(monkeypatch)


def state(known: KnownFalsePositive) -> str:
    known.refresh_from_db()
    return known.state


def faults() -> list[str]:
    return list(verify_known_false_positives(lambda done: None))


def test_it_is_proposed_with_the_decision_and_says_whom_it_is_about(olivia: User) -> None:
    false_positive = propose(olivia)
    assert (
        false_positive.state,
        false_positive.owner,
        false_positive.party_key,
        false_positive.entity,
        false_positive.entry,
    ) == (
        "PROPOSED", "account:1", "chen haddad", ENTITY, "a" * 64,
    )  # fmt: skip
    assert (false_positive.label, false_positive.expires_on) == (
        "HADAD, Chen Ali (OFAC SDN)",
        UNTIL,
    )
    event = KnownEvent.objects.get()
    assert event.data["note"] == WHY and "common name" in event.data["reason"]
    assert sample_known_false_positives.steps(false_positive) == ["PROPOSED"] and faults() == []


def test_the_proposer_cannot_approve_it_and_another_senior_can(samir: User, sofia: User) -> None:
    false_positive = propose(samir)
    with pytest.raises(services.SameOfficer):
        confirm(false_positive, samir)
    assert state(false_positive) == "PROPOSED"
    confirm(false_positive, sofia, note="Read both passports.")
    assert state(false_positive) == "IN_FORCE" and false_positive.decided_by == sofia
    assert KnownEvent.objects.latest("pk").data["note"] == "Read both passports."
    assert faults() == []


def test_the_database_itself_refuses_one_person_for_both(samir: User, sofia: User) -> None:
    false_positive = in_force(samir, sofia)
    known_false_positives = KnownFalsePositive.objects.filter(pk=false_positive.pk)
    with pytest.raises(IntegrityError), transaction.atomic():
        known_false_positives.update(decided_by=samir)
    with pytest.raises(IntegrityError), transaction.atomic():
        known_false_positives.update(extend_by=sofia, extended_by=sofia, extend_at=NOON)


def test_officers_without_the_permission_cannot_decide_on_it(olivia: User, ben: User) -> None:
    false_positive = propose(olivia)
    for step in (
        known_false_positive_decisions.approve_known,
        known_false_positive_decisions.reject_known,
    ):
        with pytest.raises(services.StepNotAllowed):
            step(known=false_positive, by=ben, note=NOTE, now=NOON)
    assert state(false_positive) == "PROPOSED"


def test_rejecting_takes_a_note_which_is_stored(olivia: User, samir: User) -> None:
    false_positive = propose(olivia)
    with pytest.raises(InvalidKnownFalsePositive):
        known_false_positive_decisions.reject_known(
            known=false_positive, by=samir, note="no", now=NOON
        )
    known_false_positive_decisions.reject_known(known=false_positive, by=samir, note=NOTE, now=NOON)
    assert state(false_positive) == "REJECTED" and faults() == []
    assert KnownEvent.objects.latest("pk").data == {"note": NOTE}
    with pytest.raises(KnownFalsePositiveConflict):
        confirm(false_positive, samir)


def test_it_waits_until_the_case_itself_is_approved(olivia: User, samir: User, sofia: User) -> None:
    false_positive = propose(olivia, risk="HIGH")
    with pytest.raises(KnownFalsePositiveConflict, match="not approved"):
        confirm(false_positive, samir)
    confirm_case(Case.objects.get(pk=false_positive.case_id), sofia)
    confirm(false_positive, samir)
    assert state(false_positive) == "IN_FORCE"


def test_with_a_first_decision_that_is_returned_it_falls(olivia: User, samir: User) -> None:
    false_positive = propose(olivia, risk="HIGH")
    one = Case.objects.get(pk=false_positive.case_id)
    services.return_decision(case=one, by=samir, note=NOTE, now=NOON)
    assert (
        state(false_positive) == "REJECTED"
        and false_positive.decided_by == samir
        and faults() == []
    )


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"reason_code": "OTHER"}, "rules out the listed party"),
        ({"outcome": "REJECT", "reason_code": "LISTED_PARTY"}, "rules out the listed party"),
        ({"known": KnownProposal((), UNTIL)}, "Choose the listed parties"),
        ({"known": KnownProposal(("OFAC SDN:no-match",), UNTIL)}, "Choose the listed parties"),
        ({"known": KnownProposal((ENTITY,), date(2028, 11, 21))}, "within 2 years"),
        ({"known": KnownProposal((ENTITY,), NOON.date())}, "in the future"),
    ],
)
def test_what_does_not_fit_decides_nothing(olivia: User, given: dict[str, Any], said: str) -> None:
    new_case = case()
    with pytest.raises(InvalidKnownFalsePositive, match=said):
        approve(new_case, olivia, **({"known": KnownProposal((ENTITY,), UNTIL)} | given))
    assert not KnownFalsePositive.objects.exists()
    assert Case.objects.get(pk=new_case.pk).status == "OPEN"


def test_an_entry_that_is_another_than_the_officer_saw_is_not_known(
    olivia: User, lists: Lists
) -> None:
    lists.now[ENTITY] = "c" * 64
    with pytest.raises(KnownFalsePositiveConflict, match="changed since"):
        propose(olivia)
    del lists.then[ENTITY]
    with pytest.raises(KnownFalsePositiveConflict, match="can no longer be determined"):
        propose(olivia, "2")


def test_an_entry_that_changed_meanwhile_is_not_put_into_force(
    olivia: User, samir: User, lists: Lists
) -> None:
    false_positive = propose(olivia)
    lists.now[ENTITY] = "c" * 64
    with pytest.raises(KnownFalsePositiveConflict, match="changed since"):
        confirm(false_positive, samir)
    lists.now[ENTITY] = lists.then[ENTITY]
    confirm(false_positive, samir)
    assert state(false_positive) == "IN_FORCE"


def test_none_is_put_into_force_after_its_last_day(olivia: User, samir: User) -> None:
    false_positive = propose(olivia, until=date(2026, 11, 22))
    with pytest.raises(KnownFalsePositiveConflict, match="It was valid until"):
        confirm(false_positive, samir, now=NOON + 3 * DAY)
    confirm(false_positive, samir, now=NOON + 2 * DAY)
    assert state(false_positive) == "IN_FORCE"


def test_of_a_client_a_party_and_a_listed_one_only_one_stands(olivia: User, samir: User) -> None:
    in_force(olivia, samir)
    with pytest.raises(KnownFalsePositiveConflict, match="already"):
        propose(olivia, "2")
    assert propose(olivia, "3", owner="account:2").state == "PROPOSED"
    assert propose(olivia, "4", lei="5493001KJTIIGC8Y1R12").state == "PROPOSED"


def test_one_that_expired_makes_room_for_the_next(olivia: User, samir: User) -> None:
    false_positive = in_force(olivia, samir, until=date(2026, 11, 22))
    with pytest.raises(KnownFalsePositiveConflict):
        propose(olivia, "2", now=NOON + 2 * DAY)
    propose(olivia, "3", now=NOON + 3 * DAY)
    assert state(false_positive) == "EXPIRED" and faults() == []


def test_ending_takes_one_officer_and_a_reason(olivia: User, ben: User, samir: User) -> None:
    false_positive = in_force(olivia, samir)
    with pytest.raises(InvalidKnownFalsePositive):
        known_false_positive_decisions.end_known(known=false_positive, by=ben, note="", now=NOON)
    known_false_positive_decisions.end_known(known=false_positive, by=ben, note=NOTE, now=NOON)
    assert state(false_positive) == "ENDED" and faults() == []
    with pytest.raises(KnownFalsePositiveConflict):
        known_false_positive_decisions.end_known(known=false_positive, by=ben, note=NOTE, now=NOON)


def test_a_later_day_takes_two_people_again(samir: User, sofia: User) -> None:
    known, later = in_force(samir, sofia), date(2028, 6, 1)
    known_false_positive_decisions.request_known_extension(
        known=known, by=sofia, until=later, note=NOTE, now=NOON
    )
    known.refresh_from_db()
    assert known.expires_on == UNTIL
    with pytest.raises(services.SameOfficer):
        known_false_positive_decisions.grant_known_extension(
            known=known, by=sofia, note=NOTE, now=NOON
        )
    known_false_positive_decisions.grant_known_extension(known=known, by=samir, note=NOTE, now=NOON)
    known.refresh_from_db()
    assert (known.expires_on, known.extend_to, known.extended_by) == (later, None, samir)
    assert (
        sample_known_false_positives.steps(known)[-2:] == ["EXTENSION", "EXTENDED"]
        and faults() == []
    )


def test_a_later_day_that_is_turned_down_changes_nothing(samir: User, sofia: User) -> None:
    false_positive = in_force(samir, sofia)
    asked = {"until": date(2028, 6, 1), "note": NOTE, "now": NOON}
    known_false_positive_decisions.request_known_extension(known=false_positive, by=samir, **asked)
    with pytest.raises(KnownFalsePositiveConflict):
        known_false_positive_decisions.request_known_extension(
            known=KnownFalsePositive.objects.get(), by=sofia, **asked
        )
    false_positive.refresh_from_db()
    known_false_positive_decisions.reject_known_extension(
        known=false_positive, by=sofia, note=NOTE, now=NOON
    )
    false_positive.refresh_from_db()
    assert (
        false_positive.state,
        false_positive.expires_on,
        false_positive.extend_to,
    ) == ("IN_FORCE", UNTIL, None)
    with pytest.raises(KnownFalsePositiveConflict):
        known_false_positive_decisions.grant_known_extension(
            known=false_positive, by=sofia, note=NOTE, now=NOON
        )
    assert faults() == []


@pytest.mark.parametrize("until", [UNTIL, date(2028, 11, 21)])
def test_a_later_day_is_later_and_within_two_years(samir: User, sofia: User, until: date) -> None:
    false_positive = in_force(samir, sofia)
    with pytest.raises(InvalidKnownFalsePositive):
        known_false_positive_decisions.request_known_extension(
            known=false_positive, by=samir, until=until, note=NOTE, now=NOON
        )


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("state = 'IN_FORCE', decided_by_id = {s}, decided_at = proposed_at", "state is IN_FORCE"),
        ("expires_on = '2099-01-01'", "expires_on is 2099-01-01"),
        ("entity = 'OFAC SDN:ofac-999'", "its content differs from the proposal"),
        ("owner = 'account:2'", "its content differs from the proposal"),
        ("entry = 'c'", "its content differs from the proposal"),
        ("pair = 'c'", "pair is not of its client, party and entity"),
    ],
)
def test_what_was_not_recorded_is_found_and_not_decided_on(
    olivia: User, samir: User, sofia: User, change: str, said: str
) -> None:
    false_positive = propose(olivia)
    sql(f"UPDATE {TABLE} SET {change.format(s=samir.pk)}")
    assert said in faults()[0]
    false_positive.refresh_from_db()
    with pytest.raises(KnownFalsePositiveConflict):
        confirm(false_positive, sofia)


def test_a_colleague_who_was_faster_is_no_alarm(olivia: User, samir: User, sofia: User) -> None:
    false_positive = propose(olivia)
    seen = KnownFalsePositive.objects.get(pk=false_positive.pk)
    confirm(false_positive, sofia)
    with pytest.raises(KnownFalsePositiveConflict, match="decided in the meantime"):
        confirm(seen, samir)


def test_one_whose_record_is_gone_is_found(olivia: User) -> None:
    propose(olivia)
    with without_triggers():
        sql(f"DELETE FROM {KnownEvent._meta.db_table}")
    assert faults() == [
        f"known false positive {KnownFalsePositive.objects.get().pk}: its proposal is not recorded"
    ]


def test_its_records_are_sealed_and_append_only(olivia: User) -> None:
    event = KnownEvent.objects.get(known=propose(olivia))
    assert sealer.seal_all_ledgers(now=NOON) and not event.mac_fault()
    with pytest.raises(Exception, match="append-only"), transaction.atomic():
        KnownEvent.objects.filter(pk=event.pk).update(action="APPROVED")
