"""The menu shows pages by groups of work, each reader's own."""

from typing import Any

import pytest
from django.contrib import admin

from apps.platform.desk import menu
from tests.review.people import SENIOR, at_desk, check_page, person


def groups(html: str) -> list[str]:
    nav = html.partition('aria-label="Pages"')[2].split("</nav>")[0]
    return [part.split('"')[0] for part in nav.split('<ul aria-label="')[1:]]


def test_every_page_of_the_desk_stands_in_one_group_of_work() -> None:
    listed = [label for labels in menu.MENU.values() for label in labels]
    assert sorted(listed) == sorted(model._meta.label_lower for model in admin.site._registry)


@pytest.mark.parametrize(
    ("group", "work"),
    [
        (
            SENIOR,
            [
                "Cases",
                "Registry",
                "Payments",
                "Travel rule",
                "AML",
                "Suspicious activity",
                "Records",
                "Reference data",
                "People",
            ],
        ),
        ("Registrar", ["Registry"]),
        (
            "Operator",
            ["Payments", "Stability", "Intelligence", "Reference data", "Clients", "Operations"],
        ),
    ],
)
def test_a_reader_sees_the_groups_of_their_own_work(db: Any, group: str, work: list[str]) -> None:
    html = check_page(at_desk(person("somebody", group)).get("/admin/"))
    assert groups(html) == work
    assert [part.split("<")[0] for part in html.split("<h2>")[1:]][-len(work) :] == work


def test_the_present_page_and_its_group_are_marked(db: Any) -> None:
    desk_of = at_desk(person("somebody", SENIOR))
    html = check_page(desk_of.get("/admin/oversight/sample/"))
    html = html.partition('aria-label="Pages"')[2].split("</nav>")[0]
    assert html.count('aria-current="page"') == 1
    assert '/admin/oversight/sample/" aria-current="page">' in html
    assert '<summary class="here">Cases</summary>' in html
    html = check_page(desk_of.get("/admin/review/case/"))
    menu_of = html.partition('aria-label="Pages"')[2].split("</nav>")[0]
    assert menu_of.count('aria-current="page"') == 2  # by itself, and in its group
    assert 'data-key="q" aria-current="page">Queue' in menu_of


def test_a_page_that_no_group_names_is_not_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(menu, "MENU", {"Cases": ("review.case",)})
    pages = [{"model": model} for model in admin.site._registry]
    found = menu.group_menu(pages)
    assert [group["name"] for group in found] == ["Cases", menu.REST]
    assert len(found[0]["models"]) == 1 and len(found[1]["models"]) == len(pages) - 1
