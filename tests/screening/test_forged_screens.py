"""What somebody wrote into the database by hand is served to nobody."""

import uuid
from datetime import timedelta

import pytest

from apps.backoffice.review import services
from apps.backoffice.review.exports import DECISIONS
from apps.backoffice.review.models import Case, DecisionEvent
from apps.backoffice.review.views.case_timeline import build_case_timeline
from apps.compliance.screening.models import Screen
from apps.platform.desk.export_registry import ExportRequest
from apps.platform.ledger import sealer
from apps.platform.ledger.verification import verifier
from tests.conftest import NOON
from tests.platform.tampering import copied, sql, without_triggers
from tests.review.people import NOTE
from tests.review.people import person as officer
from tests.screening.conftest import PATH

TABLE = Screen._meta.db_table
LISTED = "/compliance/compliance/screens"


@pytest.fixture
def flagged(screen):
    """A screen that an officer must decide."""
    answer = screen(country="AF")
    assert answer["decision"] == "FLAGGED"
    return answer


def listed(alice) -> list[str]:
    return [row["screenId"] for row in alice.get(LISTED).json()["items"]]


def test_a_forged_screen_inserted_whole_is_never_sealed_and_never_served(
    screen, alice, caplog
) -> None:
    real = Screen.objects.get(screen_id=screen(name="Lazarus Group")["screenId"])
    forged = uuid.uuid4()
    copied(real, screen_id=forged, decision="APPROVED")
    assert listed(alice) == [str(real.screen_id)]
    assert alice.get(LISTED).json()["withheld"] == 1
    answer = alice.get(f"{PATH}/{forged}")
    assert (answer.status_code, answer.json()["code"]) == (503, "record_unproved")
    assert answer["Retry-After"]
    assert "is withheld" in caplog.text
    with pytest.raises(sealer.SealingRefused, match="not sealed"):
        sealer.seal_all_ledgers(now=NOON)
    report = verifier.verify_ledger(ledger="screens")
    assert report.sealed == 1 and "not sealed, its MAC does not hold" in report.faults[0]
    assert alice.get(f"{PATH}/{real.screen_id}").status_code == 200


@pytest.mark.parametrize("column", ["decision", "owner", "payload"])
def test_a_screen_that_was_altered_is_not_served(flagged, alice, column: str) -> None:
    record = Screen.objects.get()
    value = {
        "decision": "APPROVED",
        "owner": "account:0",  # another tenant's, taken over
        "payload": record.payload.replace("FLAGGED", "APPROVED"),
    }[column]
    assert "withheld" not in alice.get(LISTED).json()
    with without_triggers():
        sql(f"UPDATE {TABLE} SET {column} = %s", value)
    answer = alice.get(f"{PATH}/{flagged['screenId']}")
    assert (answer.status_code, answer.json()["code"]) == (503, "record_unproved")
    assert "APPROVED" not in answer.content.decode()
    assert listed(alice) == []
    # of a screen that another is said to own, a list of one's own knows nothing
    assert alice.get(LISTED).json().get("withheld") == (None if column == "owner" else 1)


def test_a_screen_of_another_tenant_cannot_be_given_to_oneself(flagged, caller) -> None:
    mallory = caller("Mallory Ltd")
    with without_triggers():
        sql(f"UPDATE {TABLE} SET owner = %s", f"account:{mallory.account.pk}")
    answer = mallory.get(f"{PATH}/{flagged['screenId']}")
    assert (answer.status_code, answer.json()["code"]) == (503, "record_unproved")
    assert mallory.get(LISTED).json()["items"] == []


def test_an_untouched_screen_of_another_tenant_is_not_there(flagged, caller) -> None:
    answer = caller("Mallory Ltd").get(f"{PATH}/{flagged['screenId']}")
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


def decide_by_hand() -> None:
    first, second = officer("first"), officer("second")
    sql(
        f"UPDATE {Case._meta.db_table} SET status = 'DECIDED', outcome = 'APPROVE', "
        "reason_code = 'OTHER', decided_at = %s, first_by_id = %s, first_at = %s, "
        "first_outcome = 'APPROVE', second_by_id = %s, second_at = %s",
        NOON,
        first.pk,
        NOON,
        second.pk,
        NOON,
    )


def test_a_case_that_was_decided_by_hand_gives_no_resolution(flagged, alice) -> None:
    decide_by_hand()
    assert "resolution" not in alice.get(f"{PATH}/{flagged['screenId']}").json()
    assert "resolution" not in alice.get(LISTED).json()["items"][0]


def test_a_decision_inserted_by_hand_gives_no_resolution(flagged, alice) -> None:
    decide_by_hand()
    opened = DecisionEvent.objects.get(action="OPENED")
    copied(opened, action="DECIDED", by_id=officer("third").pk, outcome="APPROVE")
    assert "resolution" not in alice.get(f"{PATH}/{flagged['screenId']}").json()


def test_a_decision_on_one_screen_cannot_be_given_to_another(flagged, screen, alice) -> None:
    other = screen(country="HT", name="Someone Else")
    case = Case.objects.get(ref=flagged["screenId"])
    by = officer("olivia", "Compliance officer")
    services.decide_case(
        case=case, by=by, outcome="APPROVE", reason_code="OTHER", note=NOTE, now=NOON
    )
    assert alice.get(f"{PATH}/{flagged['screenId']}").json()["resolution"]["outcome"] == "APPROVE"
    table = Case._meta.db_table
    sql(f"UPDATE {table} SET ref = 'away' WHERE ref = %s", other["screenId"])
    sql(f"UPDATE {table} SET ref = %s WHERE id = %s", other["screenId"], case.pk)
    assert "resolution" not in alice.get(f"{PATH}/{other['screenId']}").json()


def test_a_decision_whose_payload_somebody_blanked_is_told_to_nobody(flagged, alice) -> None:
    case = Case.objects.get()
    by = officer("olivia", "Compliance officer")
    reason = {"outcome": "APPROVE", "reason_code": "OTHER", "note": NOTE}
    services.decide_case(case=case, by=by, now=NOON, **reason)
    assert "resolution" in alice.get(f"{PATH}/{flagged['screenId']}").json()
    events = DecisionEvent._meta.db_table
    with without_triggers():
        sql(f"UPDATE {events} SET payload = '', salt = '' WHERE action = 'DECIDED'")
    assert "resolution" not in alice.get(f"{PATH}/{flagged['screenId']}").json()


def test_a_case_whose_opening_somebody_blanked_is_decided_by_nobody(flagged) -> None:
    case = Case.objects.get()
    events = DecisionEvent._meta.db_table
    with without_triggers():
        sql(f"UPDATE {events} SET payload = '', salt = '' WHERE action = 'OPENED'")
    reason = {"outcome": "APPROVE", "reason_code": "OTHER", "note": NOTE}
    with pytest.raises(services.EvidenceAltered):
        services.decide_case(
            case=case, by=officer("olivia", "Compliance officer"), now=NOON, **reason
        )


def test_a_step_that_somebody_wrote_in_stands_on_no_page_and_in_no_export(flagged) -> None:
    case = Case.objects.get()
    copied(case.events.get(), action="ESCALATED", payload='{"note": "FORGED NOTE"}')
    steps = build_case_timeline(case)
    assert [step.event.action for step in steps] == ["OPENED"]
    export_request = ExportRequest(
        "decisions", since=NOON - timedelta(days=9000), until=NOON + timedelta(days=9000)
    )
    rows = list(DECISIONS.rows(export_request))
    assert len(rows) == 1 and "FORGED NOTE" not in str(rows)
