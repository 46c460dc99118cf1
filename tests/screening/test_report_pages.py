"""The pages of ownership and PEP reports: whom each is about in words, the JSON folded away."""

from typing import Any

import pytest
from django.urls import reverse

from apps.compliance.screening.models import ReportRecord
from apps.compliance.screening.rules.pep import LEVELS_HIGHEST_FIRST
from apps.compliance.screening.serializers import reports
from apps.compliance.screening.views import report_page as page
from tests.review.people import at_desk, check_page, person

pytestmark = pytest.mark.django_db
PEP = ("/compliance/compliance/pep-screen", {"name": "Andy Burnham", "country": "GB"})
UBO = ("/compliance/compliance/ubo-chain", {"lei": "549300BKWHXYEXPV0328"})
LIST = "/admin/screening/reportrecord/"


def asked(caller: Any, question: Any) -> ReportRecord:
    assert caller.post(*question, format="json").status_code == 200
    return ReportRecord.objects.latest("pk")


def shown(record: ReportRecord) -> str:
    edgar = at_desk(person("edgar", "Examiner"))
    return check_page(edgar.get(reverse("admin:screening_reportrecord_change", args=[record.pk])))


def words(html: str) -> str:
    """Return the page without what is folded away."""
    return html.split('<details class="raw">')[0]


def test_a_pep_report_tells_name_office_span_and_measures(alice: Any) -> None:
    html = words(shown(asked(alice, PEP)))
    for said in ("Andy Burnham", "United Kingdom", "since ", "High risk", "source of wealth"):
        assert said in html, said
    assert "cachedAt" not in html and "signature" not in html


def test_an_ownership_report_tells_each_entity_and_what_the_lists_say_of_it(alice: Any) -> None:
    html = words(shown(asked(alice, UBO)))
    for said in ("SBERBANK CIB (UK) LIMITED", "Direct parent", "at 100 % by LEI", "Blocked"):
        assert said in html, said
    assert "EU_HIGH_RISK:" not in html and "549300WE6TAF5EEWQS81" in html


def test_the_list_names_whom_a_report_is_about_and_for_whom(alice: Any) -> None:
    asked(alice, PEP), asked(alice, UBO)
    html = check_page(at_desk(person("edgar", "Examiner")).get(LIST))
    for said in ("Andy Burnham", "SBERBANK CIB (UK) LIMITED", alice.account.name, "High risk"):
        assert said in html, said
    assert f">account:{alice.account.pk}<" not in html


def test_every_result_has_its_words_and_can_be_filtered_by() -> None:
    assert set(page.RESULTS) == {*LEVELS_HIGHEST_FIRST, *reports.RESULTS}
    edgar = at_desk(person("edgar", "Examiner"))
    assert "Review required" in check_page(edgar.get(f"{LIST}?result=REVIEW_REQUIRED"))


def test_a_purged_report_keeps_its_page_and_says_so(alice: Any) -> None:
    record = asked(alice, PEP)
    ReportRecord.objects.update(payload="", salt="")
    html = shown(record)
    assert f"Purged report {record.pk}" in html and "purged at the end of its retention" in html
    assert "Andy Burnham" not in html


def test_an_altered_report_is_marked(alice: Any) -> None:
    record = asked(alice, PEP)
    record.pk, record.result = None, "NONE"
    ReportRecord.objects.bulk_create([record])
    assert "Integrity check failed" in shown(ReportRecord.objects.latest("pk"))


def test_what_a_report_lacks_is_left_out() -> None:
    assert list(page._fact_rows({})) == [] and page._entity_row({})["name"] == "Not known"
    assert page._office_holder_row({"name": "A"})["span"] == "start not known"
