"""What holds of every page of the desk, whichever role opens it."""

import re
from typing import Any

import pytest

from apps.platform.jobs.registry import JOBS
from config import env
from config.desk_roles import ROLES
from tests.desk.crawl import ROOT, pages, refusals

# whichever test comes first opens all pages, which takes half a minute of a processor
pytestmark = [pytest.mark.django_db, pytest.mark.timeout(900)]
MONTHS = "January|February|March|April|June|July|August|September|October|November|December"
OTHER_DAYS = re.compile(rf"(?<![\w/-])\d{{4}}-\d\d-\d\d(?![\w-])|\b\d{{1,2}} (?:{MONTHS})\b")
COMMAND = re.compile(r"manage\.py|\./run\b")
TECHNICAL = {*JOBS, *env.VARIABLES, "Eta", "last_error", "lease"}
DETAILS = (
    r'<(code|pre|details)\b.*?</\1>|<small class="detail">.*?</small>|<(?:script|style)\b.*?</'
)
DJANGO = ("/admin/auth/", "/admin/password_change/")  # Django's own names and passwords


def words_of(html: str) -> str:
    """Return what a page says outside its lines of details."""
    _, found, rest = html.partition('id="content-start"')
    assert found or "<html" not in html, "where the content of a page begins is not known"
    body = rest.partition('<dialog id="keys"')[0]
    return re.sub(r"<[^>]+>", " ", re.sub(DETAILS, " ", body, flags=re.DOTALL))


def test_every_role_has_pages(db: Any) -> None:
    assert {page.group for page in pages()} == {*ROLES, ROOT}
    assert len(pages(ROOT)) > 100


def test_every_role_is_let_in_wherever_the_table_says_so() -> None:
    assert not refusals()


def test_no_page_has_days_of_another_form_or_commands_of_a_shell() -> None:
    wrong = [
        (page.group, page.address, text)
        for page in pages(*ROLES)
        for text in {*OTHER_DAYS.findall(words_of(page.html)), *COMMAND.findall(page.html)}
    ]
    assert not wrong


def test_no_page_calls_a_job_or_a_setting_by_its_technical_name() -> None:
    wrong = [
        (page.group, page.address, name)
        for page in pages(*ROLES)
        for name in set(re.findall(r"[\w.]+\w", words_of(page.html))) & TECHNICAL
    ]
    assert not wrong


def test_every_moment_on_every_page_says_its_zone() -> None:
    bare, moments = [], 0
    for page in pages(ROOT):
        # a column may say it once for all of its cells
        html = re.sub(r'<td data-label="[^"]*\(UTC\)">.*?</td>', "", page.html, flags=re.DOTALL)
        text = " ".join(re.sub(r"<[^>]+>", " ", html).split())
        matches = re.findall(r"\d\d? [A-Z][a-z]{2,8} \d{4},? \d\d:\d\d(?::\d\d)?(?: UTC)?", text)
        moments += len(matches)
        bare += [(page.address, moment) for moment in matches if not moment.endswith("UTC")]
    assert not bare and moments > 40


def test_no_browser_cuts_what_is_typed_on_any_page() -> None:
    # above a `maxlength` a browser drops it without a word; searches and codes may have one
    cut, counted = [], 0
    for page in pages(ROOT):
        if page.address.startswith(DJANGO):
            continue
        boxes = re.findall(r"<textarea[^>]*>|<input[^>]*>", page.html)
        texts = [box for box in boxes if not re.search(r'type="(?!text)|name="code"', box)]
        cut += [(page.address, box) for box in texts if "maxlength" in box]
        counted += sum("data-most" in box for box in texts)
    assert not cut and counted > 20


def test_every_page_has_one_search_box_that_the_key_opens() -> None:
    wrong = [
        (page.group, page.route)
        for page in pages("Senior officer", "Examiner", "Operator")
        if page.status == 200 and "<html" in page.html and page.html.count('data-key="/"') != 1
    ]
    assert not wrong
