"""Lists and keys of every page: a cell knows its heading, a long word breaks alone."""

from typing import Any

import pytest

from tests import desk_table
from tests.review.people import at_desk, case, check_page, person

EVENTS = "/admin/review/decisionevent/"
LONG = "Unbreakable" * 18


def test_each_cell_of_a_stock_list_says_its_heading_and_keys_walk_its_rows(db: Any) -> None:
    case("1")
    html = check_page(at_desk(person("edgar", desk_table.EXAMINER)).get(EVENTS))
    row = html.split("<tbody>")[1].split("</tr>")[0]
    for heading in ("Recorded at", "Case", "Action", "Outcome", "By"):
        assert f'data-label="{heading}"' in row, heading
    assert row.count("<a data-row href=") == 1 and "data-long" not in row


def test_a_cell_with_a_word_too_long_for_its_column_alone_breaks_it(db: Any) -> None:
    case("1", party=LONG)
    html = check_page(at_desk(person("edgar", desk_table.EXAMINER)).get(EVENTS))
    row = html.split("<tbody>")[1].split("</tr>")[0]
    assert row.count("data-long") == 1 and 'data-label="Case" data-long' in row


@pytest.mark.parametrize(
    ("group", "address"),
    [
        (desk_table.EXAMINER, EVENTS),
        (desk_table.OFFICER, "/admin/oversight/sample/"),
        (desk_table.SENIOR, "/admin/core/legalhold/"),
        (desk_table.SENIOR, "/admin/sar/sarentry/"),
        (desk_table.OFFICER, "/admin/account/"),
    ],
)
def test_the_keys_are_told_on_every_page(db: Any, group: str, address: str) -> None:
    html = check_page(at_desk(person("somebody", group)).get(address))
    assert 'data-key="?"' in html and '<dialog id="keys"' in html
    assert "search everything</td>" in html


def test_whoever_is_not_signed_in_is_offered_no_keys(client: Any, db: Any) -> None:
    assert '<dialog id="keys"' not in client.get("/admin/login/").content.decode()
