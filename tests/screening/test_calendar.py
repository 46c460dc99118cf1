"""The regulatory calendar: 16 events as checked reference data (document 1 section 2.9)."""

import re
from collections import Counter
from datetime import UTC, date, datetime, timedelta

import pytest

from apps.compliance.screening.calendar import events as calendar
from apps.compliance.screening.serializers.reports import CalendarOut
from apps.compliance.screening.serializers.screen import AttestationsOut
from apps.platform.api.callers import Caller
from apps.platform.api.representation import render_answer
from apps.platform.api.shapes import to_camel_case
from tests.api.endpoint_walk import ROWS

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
NOBODY = Caller("address:127.0.0.1", "NOBODY")
EVENTS = calendar.load_calendar().events


def test_there_are_16_events_with_a_version_and_a_date():
    values = calendar.conclude_calendar(asked={}, gathered=None, caller=NOBODY, now=NOON)
    body = render_answer(CalendarOut, values)
    assert len(body["events"]) == 16
    assert (body["version"], body["asOf"]) == ("2026.11.3", "2026-11-20")


def test_each_framework_is_covered_and_no_other():
    found = Counter(event.framework for event in EVENTS)
    assert found == {"MiCA": 4, "SFDR": 3, "CSRD": 4, "GENIUS Act": 5}


@pytest.mark.parametrize(
    "label",
    [
        "Art. 45 whitepaper",
        "Art. 72 ESG",
        "Art. 109 authorisation",
        "Art. 8/9 classification",
        "PAI",
        "Audit trail",
        "Double materiality",
        "Value chain",
        "Reserve",
        "Monthly attestation",
        "VASP registration",
    ],
)
def test_the_wording_of_the_specification_finds_its_event(label):
    assert [event.label for event in EVENTS].count(label) == 1


@pytest.mark.parametrize(
    ("label", "article"),
    [
        ("Art. 45 whitepaper", "Art. 6, 19 and 51"),
        ("Art. 72 ESG", "Art. 66(5)"),
        ("Art. 109 authorisation", "Art. 59 to 63"),
        ("VASP registration", "31 CFR 1022.380"),
    ],
)
def test_where_label_and_law_differ_the_text_names_the_law(label, article):
    event = next(event for event in EVENTS if event.label == label)
    assert article in event.summary


def test_every_text_is_there_and_ids_are_unique():
    assert len({event.id for event in EVENTS}) == 16
    for event in EVENTS:
        texts = (event.event, event.effective, event.summary, event.svc_alignment, event.source)
        assert all(len(text) > 5 and text[0] != " " for text in texts)
        assert event.jurisdictions


PATHS = re.compile(r"\b(GET|POST) /([\w/-]+)")
NOTHING = "No feature addresses it: "


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: event.id)
def test_the_feature_named_is_one_that_stands_here(event):
    here = {(row.method, row.path) for row in ROWS if row.service == "compliance"}
    named = set(PATHS.findall(event.svc_alignment))
    assert named <= here
    assert named or event.svc_alignment.startswith(NOTHING)


@pytest.mark.parametrize("attestation", ["micaArt72", "geniusAct"])
def test_the_attestations_named_are_in_the_answer_of_the_screen(attestation):
    named = [event for event in EVENTS if attestation in event.svc_alignment]
    assert named and attestation in {to_camel_case(field) for field in AttestationsOut().fields}


def test_what_is_computed_here_is_not_denied():
    """Each of these duties has an endpoint of its own: its event names it."""
    named = {event.id: event.svc_alignment for event in EVENTS}
    for identifier in ("sfdr-pai", "csrd-audit-trail"):
        assert "POST /sfdr/pai-report" in named[identifier]
    told = " ".join(named.values()).casefold()
    for denied in ("not computed", "sustainability data are not held", "are not among them"):
        assert denied not in told


DATES = {
    "mica-white-papers": "2024-12-30",
    "mica-authorisation": "2026-07-01",
    "sfdr-art-8-9": "2021-03-10",
    "sfdr-pai": "2023-01-01",
    "sfdr-2-proposal": None,
    "csrd-scope": "2026-03-18",
    "csrd-double-materiality": "2026-11-10",
    "genius-effective": "2027-01-18",
    "genius-only-permitted": "2028-07-18",
}


@pytest.mark.parametrize(("identifier", "day"), DATES.items())
def test_dates_are_those_of_the_sources(identifier, day):
    values = calendar.conclude_calendar(asked={}, gathered=None, caller=NOBODY, now=NOON)
    body = render_answer(CalendarOut, values)
    event = next(event for event in body["events"] if event["id"] == identifier)
    assert event["effectiveDate"] == day


@pytest.mark.parametrize(("days", "status"), [(-1, "UPCOMING"), (0, "IN_FORCE"), (1, "IN_FORCE")])
def test_a_duty_is_in_force_from_its_day(days, status):
    event = next(event for event in EVENTS if event.effective_date == date(2027, 1, 18))
    moment = datetime(2027, 1, 18, tzinfo=UTC) + timedelta(days=days)
    assert event.status(moment) == status


def test_what_is_only_proposed_is_never_in_force():
    event = next(event for event in EVENTS if event.effective_date is None)
    assert event.status(datetime(2099, 1, 1, tzinfo=UTC)) == "PROPOSED"
