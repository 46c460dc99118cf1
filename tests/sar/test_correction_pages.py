"""Corrections on a matter's page: what was wrong is struck through beside what is right."""

import re
from typing import Any

import pytest
from django.test import Client

from apps.backoffice.sar.models import FilingEvent, SarEntry
from tests.review.people import NOTE, SENIOR, at_desk, check_page, person
from tests.sar.matters import LOG, matter, page, post

FILED = {"action": "FILED", "on": "2026-11-13", "reference": "31000123456731", "suspect": "YES"}
RIGHT = {name: text for name, text in FILED.items() if name != "action"} | {"on": "2026-11-17"}
WHY = "The acknowledgement names another day."


@pytest.fixture
def filed(samir: Client) -> SarEntry:
    """A matter of 40 days ago whose report was filed a week ago."""
    sar_entry = matter(ago=40, sanctions=False)
    assert post(samir, sar_entry, **FILED).status_code == 302
    return sar_entry


def correct(desk: Client, of: SarEntry, what: int, **given: str) -> Any:
    said = {"seen": str(of.filings.count()), "corrects": str(what), "why": WHY} | given
    return desk.post(f"{LOG}{of.pk}/correct/", said)


def last(of: SarEntry) -> int:
    return of.filings.order_by("-number")[0].pk


def test_what_was_wrong_is_struck_through_beside_what_is_right(
    samir: Client, filed: SarEntry
) -> None:
    answer = correct(samir, filed, last(filed), **RIGHT)
    assert answer.status_code == 302
    html = page(samir, filed)
    assert "Recorded: Correction." in html and f"stored-sar-{filed.pk}-correct-" in html
    first, second = html.split("<strong>Correction of step 1, SAR filed</strong>")
    assert "Filed on: <del>13 Nov 2026</del> <b>17 Nov 2026</b>" in first
    assert "corrected by step 2" in first and "corrected by step" not in second
    assert "Filed on: <del>13 Nov 2026</del> <b>17 Nov 2026</b>" in second and WHY in second
    assert "BSA ID): <b>31000123456731</b>" in first and "BSA ID)" not in second.split("</ol>")[0]
    # stages and clocks follow
    assert "on 17 Nov 2026, 31000123456731, 7 days after its last day" in html
    assert "from 15 Feb 2027, by 17 Mar 2027" in html


def test_a_correction_that_was_not_right_either_is_struck_through_too(
    samir: Client, filed: SarEntry
) -> None:
    correct(samir, filed, last(filed), **RIGHT)
    correct(samir, filed, last(filed), **RIGHT | {"on": "2026-11-16", "suspect": "NO"})
    html = page(samir, filed)
    step, wrong, right = re.split(r"<strong>Correction of step 1, SAR filed</strong>", html)
    struck = "<del>13 Nov 2026</del> <del>17 Nov 2026</del>"
    assert f"{struck} <b>16 Nov 2026</b>" in step and "<del>yes</del> <b>no</b>" in step
    assert f"Filed on: {struck} </span>" in wrong and "corrected by step 3" in wrong
    assert "Filed on: <del>17 Nov 2026</del> <b>16 Nov 2026</b>" in right
    assert "after its last day" not in html  # without a suspect there are sixty days


def test_the_day_of_detection_is_corrected_on_the_page(samir: Client) -> None:
    sar_entry = matter(ago=5, sanctions=False)
    html = page(samir, sar_entry)
    assert "Day of detection, 15 Nov 2026" in html and 'name="corrects" value="0"' in html
    assert correct(samir, sar_entry, 0, on="2026-11-10").status_code == 302
    html = page(samir, sar_entry)
    assert "10 Nov 2026, corrected from 15 Nov 2026" in html and "by 10 Dec 2026" in html
    assert "Correction of the day of detection" in html
    assert "Detected on: <del>15 Nov 2026</del> <b>10 Nov 2026</b>" in html
    assert "runs from 10 Nov 2026: the date of detection was corrected from 15 Nov 2026." in html
    assert "Correction" in check_page(samir.get(LOG))


def test_a_rationale_is_corrected_and_the_wrong_one_stays_to_be_read(samir: Client) -> None:
    sar_entry = matter(sanctions=False)
    post(samir, sar_entry, action="NOT_FILED", rationale=NOTE)
    html = page(samir, sar_entry)
    stored = html.split(f'id="correct-{last(sar_entry)}-rationale"')[1].split("</textarea>")[0]
    assert "data-stored" in stored and stored.endswith(NOTE)
    correct(samir, sar_entry, last(sar_entry), rationale="Another birth date and another place.")
    html = page(samir, sar_entry)
    assert f"<del><q>{NOTE}</q></del><q>Another birth date and another place.</q>" in html


def test_what_is_wrong_with_a_correction_stands_beside_its_field(
    samir: Client, filed: SarEntry
) -> None:
    of, given = last(filed), RIGHT | {"on": "2026-11-21", "why": "Too short"}
    html = check_page(correct(samir, filed, of, **given), 400)
    assert f'id="correct-{of}-on-wrong">This day is in the future.' in html
    assert f'id="correct-{of}-why-wrong">Write a sentence of at least' in html
    assert html.count('name="step" open') == 1 and 'value="2026-11-21"' in html
    assert html.count('class="wrong"') == 2 and "data-stored" not in html
    assert FilingEvent.objects.count() == 1


def test_a_correction_that_changes_nothing_says_so(samir: Client, filed: SarEntry) -> None:
    html = check_page(correct(samir, filed, last(filed), **RIGHT | {"on": "2026-11-13"}), 400)
    assert "This changes nothing: give the correct value" in html and WHY in html


@pytest.mark.parametrize("corrects", ["{other}", "x", "", "9" * 30])
def test_a_record_of_another_matter_is_refused_and_the_text_is_kept(
    samir: Client, filed: SarEntry, corrects: str
) -> None:
    other = matter("other", ago=40, sanctions=False)
    post(samir, other, **FILED)
    given = RIGHT | {"corrects": corrects.format(other=last(other))}
    html = check_page(correct(samir, filed, 0, **given), 400)
    assert "This record belongs to another matter: correct it there." in html
    assert "was not saved" in html and f"31000123456731\n{WHY}</textarea>" in html
    assert FilingEvent.objects.count() == 2


def test_the_text_of_a_correction_for_which_a_colleague_was_faster_is_kept(
    samir: Client, filed: SarEntry
) -> None:
    of = last(filed)
    correct(at_desk(person("sofia", SENIOR)), filed, of, **RIGHT)
    html = check_page(
        correct(samir, filed, of, **RIGHT | {"seen": "1", "why": "My own words."}), 409
    )
    assert "Review the entry again" in html and "My own words.</textarea>" in html
    # what was typed and not sent is in the browser: the page has a place to show it
    assert f'data-kept="sar-{filed.pk}-correct-{of}" data-fields="on reference' in html


def test_each_step_that_cannot_be_recorded_now_has_a_place_for_what_was_typed_for_it(
    samir: Client,
) -> None:
    sar_entry = matter(sanctions=False)
    assert f'data-kept="sar-{sar_entry.pk}-not_filed"' not in page(samir, sar_entry)
    post(at_desk(person("sofia", SENIOR)), sar_entry, action="NOT_FILED", rationale=NOTE)
    html = page(samir, sar_entry)
    assert f'data-kept="sar-{sar_entry.pk}-not_filed"' in html
    offered = set(re.findall(rf'data-draft="sar-{sar_entry.pk}-([^"]+)"', html))
    kept = set(re.findall(rf'data-kept="sar-{sar_entry.pk}-([^"]+)"', html))
    assert not offered & kept and {"to_file", "filed", "correct-0"} <= offered


def test_who_may_look_but_not_file_corrects_nothing(samir: Client, filed: SarEntry) -> None:
    from django.contrib.auth.models import Permission

    vera = person("vera")
    vera.user_permissions.add(Permission.objects.get(codename="view_sarentry"))
    desk = at_desk(vera)
    html = page(desk, filed)
    assert "Correct a recorded step" not in html and "data-kept" not in html
    assert correct(desk, filed, last(filed), **RIGHT).status_code == 403


@pytest.mark.parametrize("group", ["Compliance officer", "Examiner", "Operator", "Registrar"])
def test_a_correction_that_somebody_guesses_is_not_there(
    samir: Client, filed: SarEntry, group: str
) -> None:
    desk = at_desk(person("somebody", group))
    assert correct(desk, filed, last(filed), **RIGHT).status_code == 404
    assert FilingEvent.objects.count() == 1
