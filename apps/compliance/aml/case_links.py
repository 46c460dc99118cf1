"""The pages behind an entry of the SAR log: the AML screen, and its case."""

from datetime import datetime

from apps.backoffice.review.case_pages import CaseRecord
from apps.backoffice.sar.record_types import RecordType
from apps.compliance.aml.models import AmlScreen
from apps.compliance.aml.models.screens import KIND
from apps.platform.common.uuids import parse_uuid

ANSWERS = {"PROCEED": "Proceed", "FLAG": "Flagged, review required", "BLOCK": "Blocked"}


def find_screened_at(ref: str) -> datetime | None:
    """Return when a payment was screened, by its record; None where none is."""
    screen = _find_screen(ref)
    return screen.recorded_at if screen else None


def _find_screen(ref: str) -> AmlScreen | None:
    # references of other kinds of records are no UUIDs
    number = parse_uuid(ref)
    return AmlScreen.objects.filter(screen_id=number).first() if number else None


RECORD = CaseRecord(
    kind=KIND,
    model=AmlScreen,
    name="AML screen",
    find=_find_screen,
    outcome=lambda screen: (
        "Answered",
        f"{ANSWERS[screen.action]}, risk {screen.risk_score} of 100",
    ),
)
list_related_pages = RECORD.list_pages
find_record_page = RECORD.find_page
describe_case_outcome = RECORD.describe_outcome


SAR_RECORDS = {
    "aml": RecordType(
        title="AML screen",
        pages=list_related_pages,
        outcome=describe_case_outcome,
        screened_at=find_screened_at,
    ),
}
