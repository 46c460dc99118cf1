"""What narrows the queue stays while its form is applied; rows on phones and links of parties."""

import re
from datetime import timedelta

import pytest
from django.contrib.auth.models import User

from tests.review.people import NOON, approve, at_desk, case, check_page

pytestmark = pytest.mark.django_db
QUEUE = "/admin/review/case/"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("opened", "2026-11-20"),
        ("decided", "2026-11-20"),
        ("since", "2026-11-01"),
        ("took", "1"),
        ("entity", "OFAC SDN:ofac-123"),
        ("listed", "OFAC SDN:ofac-123"),
    ],
)
def test_apply_keeps_what_only_a_link_asks_for(olivia: User, name: str, value: str) -> None:
    approve(case(), olivia, now=NOON + timedelta(hours=2))
    html = check_page(at_desk(olivia).get(QUEUE, {"view": "decided", name: value}))
    form = html.split('<form class="find"', 1)[1].split("</form>", 1)[0]
    assert re.findall(rf'type="hidden" name="{name}" value="([^"]+)"', form) == [value]


def test_a_queue_that_nothing_narrows_keeps_nothing(olivia: User) -> None:
    html = check_page(at_desk(olivia).get(QUEUE))
    form = html.split('<form class="find"', 1)[1].split("</form>", 1)[0]
    assert re.findall(r'type="hidden" name="(\w+)"', form) == ["view"]


def test_a_case_without_a_party_leads_to_the_cases_of_its_wallet(olivia: User) -> None:
    wallet = "0x" + "ab" * 20
    new_case = case("1", party="", wallet=wallet)
    case("2", party="", wallet=wallet), case("3", party="", wallet="0x" + "cd" * 20)
    html = check_page(at_desk(olivia).get(f"{QUEUE}{new_case.pk}/"))
    match = re.search(r'<a href="([^"]+)">All cases of this party</a>', html)
    assert match
    rows = check_page(at_desk(olivia).get(match[1].replace("&amp;", "&")))
    assert rows.count("data-row") == 2


def test_a_risk_without_a_score_shows_no_number(olivia: User) -> None:
    case(risk_score=0)
    assert 'class="score"' not in check_page(at_desk(olivia).get(QUEUE))
