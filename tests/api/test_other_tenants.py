"""What Alice made and marked by using every row is in no answer that Bob gets."""

from typing import Any

import pytest

from apps.core.endpoints import Endpoint
from tests.api.walking import ROWS, Walk, title
from tests.for_each import for_each

pytestmark = pytest.mark.django_db
MARK = "alices-own-mark"


@pytest.fixture(scope="module")
def _used(_loaded: None, django_db_blocker: Any) -> None:
    """Alice has used everything, and left her mark where callers can."""
    with django_db_blocker.unblock():
        for one in ROWS:
            if one.access.keys:
                marks = {"reference": MARK} if "reference" in one.example else {}
                Walk("Alice Ltd").call(one, given={**one.example, **marks})


@for_each("row", [r for r in ROWS if r.access.keys], ids=title)
def test_no_answer_holds_anything_of_another_tenant(
    _used: None, loaded: Any, row: Endpoint
) -> None:
    if any(one.made_by[0] and one.owned for one in row.ids.values()):
        return  # the test of owned ids has it
    answer = Walk("Bob SA").call(row).content.decode()
    assert MARK not in answer and "Alice Ltd" not in answer
