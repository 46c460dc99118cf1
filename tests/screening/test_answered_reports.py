"""What a client was answered on a day can be read again: every report is a record."""

import pytest

from apps.compliance.screening.models import PepReport, ReportRecord, UboReport
from apps.platform.ledger import retention, sealer
from apps.platform.ledger.verification import verifier
from tests.conftest import NOON

PEP = ("/compliance/compliance/pep-screen", {"name": "Andy Burnham", "country": "GB"})
UBO = ("/compliance/compliance/ubo-chain", {"lei": "5493001KJTIIGC8Y1R12"})


def ask(client, question):
    answer = client.post(*question, format="json")
    assert answer.status_code == 200, answer.content
    return answer.json()


@pytest.mark.parametrize(
    ("question", "kind", "result"), [(PEP, "PEP", "riskLevel"), (UBO, "UBO", "result")]
)
def test_each_answer_is_a_record_of_its_caller_whether_new_or_kept(
    alice, caller, question, kind, result
) -> None:
    first = ask(alice, question)
    bob = caller("Bob Treasury")
    assert ask(bob, question) == first
    new, kept = ReportRecord.objects.order_by("pk")
    assert [(one.kind, one.kept) for one in (new, kept)] == [(kind, False), (kind, True)]
    assert [one.owner for one in (new, kept)] == [
        f"account:{alice.account.pk}",
        f"account:{bob.account.pk}",
    ]
    for one in (new, kept):
        assert one.answer == first
        assert one.result == first[result]
        assert one.data["request"].items() >= question[1].items()
        assert not one.mac_fault()


def test_a_record_outlives_the_report_that_was_kept(alice) -> None:
    answer = ask(alice, PEP)
    ask(alice, UBO)
    PepReport.objects.all().delete()
    UboReport.objects.all().delete()
    assert ReportRecord.objects.get(kind="PEP").answer == answer


def test_no_column_names_anybody(alice) -> None:
    ask(alice, PEP)
    assert "Burnham" not in str(ReportRecord.objects.get().envelope())


def test_records_are_sealed_and_leave_only_their_payload_after_ten_years(alice) -> None:
    ask(alice, PEP)
    sealer.seal_all_ledgers(now=NOON)
    assert not verifier.verify_ledger(ledger="reports").faults
    assert retention.retention_years("reports") == 10
    ReportRecord.objects.update(payload="", salt="")
    assert ReportRecord.objects.get().answer == {}


def test_a_refused_question_is_no_record(alice) -> None:
    assert alice.post(PEP[0], {"name": ""}, format="json").status_code == 400
    assert not ReportRecord.objects.exists()
