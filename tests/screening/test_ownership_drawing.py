"""Owners are drawn upwards from the subject, each above whom it owns."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User

from apps.backoffice.review.models import Case
from apps.compliance.screening.combined.ownership_order import order_owners_upward
from apps.platform.desk.templatetags.trees import nested
from tests.review.people import OFFICER, SENIOR, at_desk, check_page, person

BLOOMBERG = {"name": "Bloomberg Finance L.P.", "lei": "5493001KJTIIGC8Y1R12"}
ROLES = {"S": "SUBJECT", "D": "DIRECT_PARENT", "U": "ULTIMATE_PARENT"}


def drawn(order: str, *ties: str) -> list[tuple[str, int, str]]:
    """Return LEI, level and words; ties are `SD` of a direct and `SU*` of an ultimate parent."""
    chain = [{"lei": one, "name": f"{one} Ltd", "role": ROLES.get(one, "INTERMEDIATE")}
             for one in order]  # fmt: skip
    told = [(t[0], t[1], "ULTIMATE" if t.endswith("*") else "DIRECT", None) for t in ties]
    return [(row["lei"], level, owns) for row, level, owns in order_owners_upward(chain, told)]


@pytest.mark.parametrize(
    ("order", "ties", "expected"),
    [
        ("SUD", ("SD", "SU*", "DU"), "S0 D1 U2"),  # at two levels the direct parent comes last
        ("SUD", ("SD", "SU*", "DU*"), "S0 D1 U2"),  # the direct one names it as ultimate alone
        ("SUDI", ("SD", "SU*", "DI", "IU"), "S0 D1 I2 U3"),
        ("SUD", ("SD", "SU*"), "S0 D1 U2"),  # no more is known of the direct one
        ("SDXU", ("SD", "SX", "SU*"), "S0 U1 D1 X1"),  # through which of two is not said
        ("SDU", ("SD", "DS", "SU*"), "S0 U1 D1"),
        ("SU", ("SU", "SU*"), "S0 U1"),
        ("SDX", ("SD", "SX"), "S0 D1 X1"),  # two owners side by side
        ("SDXU", ("SD", "SX", "DU", "XU"), "S0 D1 U2 X1"),  # drawn once, and owns both
        ("SD", ("SD", "DS"), "S0 D1"),  # a circle ends
        ("", (), ""),
        ("S", (), "S0"),
        ("SX", ("SD",), "S0 X1"),  # one that no tie names is not left out
    ],
)
def test_each_owner_stands_behind_whom_it_owns(
    order: str, ties: tuple[str, ...], expected: str
) -> None:
    assert " ".join(f"{lei}{level}" for lei, level, _ in drawn(order, *ties)) == expected


@pytest.mark.parametrize(
    ("order", "ties", "said"),
    [
        ("SUD", ("SD", "SU*", "DU"), ["", "owns S Ltd", "owns D Ltd"]),
        ("SU", ("SU*",), ["", "owns, through others, S Ltd"]),
        ("SDXU", ("SD", "SX", "DU", "XU"),
         ["", "owns S Ltd", "owns D Ltd and X Ltd", "owns S Ltd"]),
    ],
)  # fmt: skip
def test_it_says_whom_each_owns(order: str, ties: tuple[str, ...], said: list[str]) -> None:
    assert [owns for _, _, owns in drawn(order, *ties)] == said


@pytest.mark.parametrize(
    ("levels", "expected"),
    [
        ([0, 1, 2], [(True, 0), (True, 0), (False, 2)]),
        ([0, 1, 1], [(True, 0), (False, 0), (False, 1)]),
        ([0, 3, 1], [(True, 0), (False, 0), (False, 1)]),
        ([0], [(False, 0)]),
        ([], []),
    ],
)
def test_lists_open_and_close_in_pairs(levels: list[int], expected: list[Any]) -> None:
    rows = [{"level": level} for level in levels]
    assert [(opens, len(closes)) for _, opens, closes in nested(rows)] == expected


@pytest.mark.parametrize("group", [OFFICER, SENIOR])
def test_page_and_sheet_draw_the_direct_parent_below_the_ultimate_one(
    screen: Callable[..., dict[str, Any]], group: str
) -> None:
    screen(**BLOOMBERG, country="HT")
    reader: User = person("reader", group)
    address = f"/admin/review/case/{Case.objects.get().pk}/"
    for page in (address, f"{address}evidence/"):
        html = check_page(at_desk(reader).get(page))
        chain = html.partition('<div class="chain">')[2].partition("</section>")[0]
        nodes = re.findall(r"<small>([^<]*)</small> <strong>([^<]*)", chain)
        assert nodes == [
            ("Subject", "Bloomberg Finance L.P."),
            ("Direct parent, owns Bloomberg Finance L.P.", "Bloomberg L.P."),
            ("Ultimate parent, owns, through others, Bloomberg Finance L.P.", "Bloomberg Inc."),
        ]
        assert chain.count("<ol>") == chain.count("</ol>") == 3
