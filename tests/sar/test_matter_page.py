"""A matter that a person can decide from: facts, stages, its party's others, forms with errors."""

from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.test import Client

from apps.backoffice.review import services
from apps.backoffice.review.models import Case
from apps.backoffice.sar.entry_facts import MOST_MATCHES, PaymentFacts
from apps.backoffice.sar.models import FilingEvent, SarEntry
from apps.backoffice.sar.selectors.matter_steps import list_matter_steps
from apps.backoffice.sar.views.matter_stages import DONE, LATE, build_stages
from apps.compliance.screening.models import Screen
from tests.review.people import NOON, NOTE, OFFICER, at_desk, check_page, person
from tests.sar.matters import PICTURE, matter, page, post
from tests.screening.conftest import PATH, alice, sample  # noqa: F401

# --- facts ----------------------------------------------------------------------------


def test_a_matter_shows_the_payment_and_who_stands_against_whom(samir: Client) -> None:
    html = page(samir, matter())
    for words in ("Germany → Iran", "HADAD, Boris", "Boris H.", "SDGT, listed on 01 Mar 2019",
                  "ofac-7", "1961", "differs", "91 %", "Not given"):  # fmt: skip
        assert words in html, words


def test_without_a_picture_the_payment_is_told_and_an_entry_without_facts_has_its_page(
    samir: Client,
) -> None:
    facts = PaymentFacts(
        amount=Decimal("9800.50"), currency="EUR", usd=Decimal("10700"), country="IR"
    )
    html = page(samir, matter("plain", facts=facts))
    assert "9,800.50 EUR (about 10,700.00 USD)" in html and "Iran" in html
    assert "Risk score" in page(samir, matter("old", facts=PaymentFacts()))


def test_of_many_matches_the_best_are_kept_and_the_others_counted(samir: Client) -> None:
    many = PICTURE | {"matches": PICTURE["matches"] * (MOST_MATCHES + 2)}
    sar_entry = matter(facts=PaymentFacts(picture=many))
    assert len(sar_entry.data["facts"]["picture"]["matches"]) == MOST_MATCHES
    assert "2 further matches" in page(samir, sar_entry)


def test_a_blocked_screen_leads_to_its_record_and_a_case_to_its_page(
    samir: Client,
    alice: Any,  # noqa: F811
) -> None:
    body = {"name": "Lazarus Group", "country": "DE", "amount": 9800, "reference": "INV-42"}
    answer = alice.post(PATH, body, format="json").json()
    assert answer["decision"] == "BLOCKED"
    sar_entry = SarEntry.objects.get(ref=answer["screenId"])
    html = page(samir, sar_entry)
    assert sar_entry.data["facts"]["amount"] == "9800.00" and "INV-42" in html
    assert "/admin/screening/screen/" in html and "Who against whom" not in html
    assert "LAZARUS GROUP" in html.upper() and "versus" in html
    assert "<dt>Answered</dt><dd>Blocked on " in html and "Why it was blocked" in html
    assert not Case.objects.exists() and "/admin/review/case/1/" not in html
    listed = samir.get("/admin/sar/sarentry/").content.decode()
    assert "9,800.00 USD" in listed and "(Sample of listed parties)" in listed
    assert "sample-sanctions" not in listed


def test_a_matter_keeps_when_its_payment_was_screened_and_tells_it_in_its_own_zone(
    samir: Client,
    settings: Any,
    alice: Any,  # noqa: F811
) -> None:
    settings.DESK_TIME_ZONE = "America/New_York"
    body = {"name": "Lazarus Group", "country": "DE", "amount": 9800}
    alice.post(PATH, body, format="json")
    alice.post(PATH, {"name": "Quiet Harbour Trading", "country": "HT"}, format="json")
    later = NOON + timedelta(days=900)
    services.refer_to_sar_log(
        case=Case.objects.get(), by=person("olivia", OFFICER), note=NOTE, now=later
    )
    for sar_entry in SarEntry.objects.all():
        at = Screen.objects.get(screen_id=sar_entry.ref).recorded_at
        assert datetime.fromisoformat(sar_entry.data["screenedAt"]) == at.replace(
            microsecond=at.microsecond // 1000 * 1000
        )
        html = page(samir, sar_entry)
        assert f"({at:%d %b %Y %H:%M:%S} UTC)</time>" in html.split("<dt>Screened</dt>")[1]
        assert f"{at.astimezone(ZoneInfo('America/New_York')):%H:%M:%S} America/New York" in html
    assert "<dt>Referred</dt>" in html and "08 May 2029 08:00:00 America/New York" in html


def test_a_matter_of_no_screen_tells_of_none(samir: Client) -> None:
    assert "<dt>Screened</dt>" not in page(samir, matter("no-screen"))
    told = page(samir, matter("told", screened_at=NOON - timedelta(hours=1)))
    assert "<dt>Screened</dt>" in told and "20 Nov 2026 11:00:00 UTC</time>" in told


def test_a_referred_case_tells_its_answer_and_its_decision(
    samir: Client,
    alice: Any,  # noqa: F811
) -> None:
    body = {"name": "Quiet Harbour Trading", "country": "HT", "amount": 500}
    assert alice.post(PATH, body, format="json").json()["decision"] == "FLAGGED"
    case, olivia = Case.objects.get(), person("olivia", OFFICER)
    services.refer_to_sar_log(case=case, by=olivia, note=NOTE, now=NOON)
    html = page(samir, SarEntry.objects.get())
    assert "<dt>Answered</dt><dd>Flagged on " in html and "Referred by <strong>olivia" in html
    assert f"<dt>Case {case.pk}</dt><dd>Not decided yet</dd>" in html
    said = {"outcome": "REJECT", "reason_code": "COUNTRY_DECLINED", "note": NOTE}
    decided = services.decide_case(case=case, by=olivia, now=NOON, **said)
    html = page(samir, SarEntry.objects.get())
    assert decided.status == "DECIDED" and "Rejected on 20 Nov 2026 12:00 UTC by olivia: " in html
    assert "Why it was referred" in html and "Why it was blocked" not in html


# --- stages ---------------------------------------------------------------------------


def test_the_five_stages_are_told_in_words(samir: Client) -> None:
    html = page(samir, matter(sanctions=False))
    for words in ("1 Detected", "2 Decide", "3 File", "4 Report to OFAC", "5 Review what goes on",
                  "file or not, by 20 Dec 2026: 30 days left", "only if an embargo forbids it",
                  "after a filing"):  # fmt: skip
        assert words in html, words


def test_a_filing_of_an_earlier_day_counts_from_that_day(samir: Client) -> None:
    sar_entry = matter(ago=40, sanctions=False)
    given = {"action": "FILED", "on": "2026-11-13", "reference": "31000123456731", "suspect": "YES"}
    assert post(samir, sar_entry, **given).status_code == 302
    assert FilingEvent.objects.get().on.isoformat() == "2026-11-13"
    sar_entry.matter.refresh_from_db()
    assert sar_entry.matter.next_by.isoformat() == "2027-03-13"
    html = page(samir, sar_entry)
    assert "on 13 Nov 2026, 31000123456731, 3 days after its last day" in html
    assert "from 11 Feb 2027, by 13 Mar 2027" in html
    assert "Filed on: <b>13 Nov 2026</b>" in html and "20 Nov 2026 12:00:00 UTC" in html


def test_a_filing_without_a_suspect_has_sixty_days(samir: Client) -> None:
    sar_entry = matter(ago=40, sanctions=False)
    given = {"action": "FILED", "on": "2026-11-13", "reference": "31000123456731", "suspect": "NO"}
    post(samir, sar_entry, **given)
    html = page(samir, sar_entry)
    assert "after its last day" not in html and "<summary>Another SAR filed" in html


def test_what_was_decided_and_reported_is_told_with_who_and_when(samir: Client) -> None:
    sar_entry = matter()
    post(samir, sar_entry, action="TO_FILE", rationale=NOTE)
    assert "to file, 20 Nov 2026 by samir" in page(samir, sar_entry)
    given = {"action": "OFAC_BLOCKED", "on": "2026-11-20", "reference": "R-1", "seen": "1"}
    post(samir, sar_entry, **given, amount="eur 9'800.50")
    assert FilingEvent.objects.get(number=2).data["amount"] == "9800.50 EUR"
    html = page(samir, sar_entry)
    assert "blocked property, on 20 Nov 2026, R-1, annual report by 30 Sep 2027" in html
    assert "Property blocked: <b>9,800.50 EUR</b>" in html


@pytest.mark.parametrize(("today", "state"), [(date(2027, 9, 30), DONE), (date(2027, 10, 1), LATE)])
def test_an_annual_report_is_late_from_the_day_after_it_was_due(
    samir: Client, today: date, state: str
) -> None:
    made = matter().matter
    post(samir, made.entry, action="OFAC_BLOCKED", on="2026-11-20", reference="R-1", amount="1 EUR")
    events = list(made.entry.filings.all())
    steps = list_matter_steps(made, events)
    stages = build_stages(matter=made.after(events), steps=steps, today=today, how="")
    assert "annual report by 30 Sep 2027" in stages[3].words and stages[3].state == state


# --- forms ----------------------------------------------------------------------------


def test_only_what_is_possible_now_has_a_form_with_its_own_fields(samir: Client) -> None:
    html = page(samir, matter())
    for action in ("TO_FILE", "NOT_FILED", "NO_SUSPECT", "FILED", "OFAC_BLOCKED", "OFAC_NONE"):
        assert f'name="action" value="{action}"' in html
    for action in ("ENDED", "CONTINUES", "ANNUAL", "RELEASED", "MATCHED"):
        assert f'value="{action}"' not in html
    assert 'value="9800.50 EUR"' in html and 'min="2026-11-20" max="2026-11-20"' in html


def test_an_error_stands_beside_its_field_and_nothing_typed_is_lost(samir: Client) -> None:
    given = {"action": "FILED", "on": "2026-11-21", "reference": "31000000000009", "suspect": "NO",
             "rationale": "Filed by telephone first."}  # fmt: skip
    html = check_page(post(samir, matter(), **given), 400)
    assert 'id="filed-on-wrong">This day is in the future.' in html
    assert html.count('class="wrong"') == 1 and html.count('name="step" open') == 1
    for kept in (
        'value="2026-11-21"',
        'value="31000000000009"',
        'value="NO" checked',
        given["rationale"],
    ):
        assert kept in html
    assert not FilingEvent.objects.exists()


def test_the_text_of_a_step_that_went_is_shown_to_be_copied(samir: Client) -> None:
    sar_entry = matter()
    post(samir, sar_entry, action="NOT_FILED", rationale=NOTE)
    html = check_page(
        post(samir, sar_entry, action="NOT_FILED", rationale="My own long words."), 409
    )
    assert "was not saved" in html and "My own long words." in html


# --- by party -------------------------------------------------------------------------


def test_a_matter_lists_the_others_of_its_party_alone(samir: Client) -> None:
    one, twin = matter("1"), matter("2", 40, "HADAD Boris", sanctions=False)
    other, client = matter("3", party="Ann Lee"), matter("4", owner="account:2")
    html = page(samir, one)
    assert f"No. {twin.pk}</a>" in html and "10 days late" in html
    for stranger in (other, client):
        assert f"No. {stranger.pk}</a>" not in html
    assert "Other matters" not in page(samir, other)


@pytest.mark.parametrize("group", ["Compliance officer", "Examiner", "Operator", "Registrar"])
def test_no_fact_of_a_matter_is_found_by_who_may_not_know_of_it(db: Any, group: str) -> None:
    facts = PaymentFacts(reference="QZX-77", wallet="0xqzx77", picture=PICTURE)
    sar_entry = matter("qzx-ref", party="Qzxbert Vellum", facts=facts)
    desk = at_desk(person("somebody", group))
    for text in ("QZX-77", "0xqzx77", "Qzxbert", "qzx-ref", sar_entry.matter.party_key):
        html = check_page(desk.get("/admin/search/", {"q": text})).lower()
        assert "vellum" not in html and "sar/sarentry" not in html
    assert "SAR log" not in check_page(desk.get("/admin/"))
