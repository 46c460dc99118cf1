"""How a score came about hides no word of either name, whatever was compared of it."""

from typing import Any

import pytest
from django.template.loader import render_to_string

from apps.reference.watchlists import engine as engines
from apps.reference.watchlists import lookup
from apps.reference.watchlists.presenters.score_breakdown import break_down_score
from apps.reference.watchlists.presenters.unweighed_words import ALONE, ELSEWHERE, LEGAL
from apps.reference.watchlists.subjects import Subject

LONG = "Donaudampfschifffahrt" * 8 + "elektrizitaetshaus"  # 186 letters
NAMES = [
    f"Lazarus Group {LONG}",
    "Lazarus Group invoice 12",
    "Lazarus Group d.o.o.",
    "Noor Trading LLC trading as Lazarus Group Ltd",
    "Mr Abd al-Rahman Kim Jong-Un",
    "Лазарус Груп Travel",
    "Lazarus Group " + " ".join(f"Word{number}" for number in range(20)),
]


def drawn(noon: Any, name: str) -> dict[str, Any]:
    """Return how the best match of a name is told."""
    subject = Subject(name)
    (best, *_) = lookup.match_sanctions(
        engine=engines.load_current_engine(noon), subject=subject
    ).matches
    return break_down_score(best.recorded(), subject.names)


@pytest.mark.parametrize("name", NAMES)
def test_every_word_that_was_asked_stands_in_a_line(sample: Any, noon: Any, name: str) -> None:
    found = drawn(noon, name)
    rows = [*found["pairs"], *found["only_asked"], *found["beside"]]
    told_of = " ".join(row["asked"] for row in rows).casefold()
    joined = {"abd": "abdulrahman", "rahman": "abdulrahman"}  # read as one name
    for word in name.replace("-", " ").split():
        plain = word.casefold()
        assert plain in told_of or joined.get(plain, "?") in told_of, (word, told_of)


def test_a_word_that_was_left_out_of_the_comparison_is_told_so(sample: Any, noon: Any) -> None:
    found = drawn(noon, f"Lazarus Group {LONG}")
    assert {"asked": LONG, "listed": "", "how": ELSEWHERE} in found["beside"]
    assert found["without"] == f"{LONG[:23]}…"
    few = drawn(noon, "Noor Trading LLC trading as Lazarus Group Ltd")
    assert few["without"] == "Noor, Trading, LLC, and 2 more"
    assert drawn(noon, "Lazarus Group")["beside"] == []


@pytest.mark.parametrize(
    ("name", "word", "how"),
    [
        ("Lazarus Group d.o.o.", "d.o.o.", LEGAL),
        ("Lazarus Group GmbH", "GmbH", LEGAL),
        ("Abd al-Rahman Kim Jong Un", "al", ALONE),
    ],
)
def test_what_carries_no_weight_says_why(
    sample: Any, noon: Any, name: str, word: str, how: str
) -> None:
    assert {"asked": word, "listed": "", "how": how} in drawn(noon, name)["beside"]


def test_the_words_of_the_listed_name_are_told_too(sample: Any, noon: Any) -> None:
    subject = Subject("Lazarus Group")
    (best, *_) = lookup.match_sanctions(
        engine=engines.load_current_engine(noon), subject=subject
    ).matches
    row = best.recorded() | {"name": "Lazarus Group LLC"}
    assert {"asked": "", "listed": "LLC", "how": LEGAL} in break_down_score(row, subject.names)[
        "beside"
    ]


def test_the_compared_name_is_looked_for_among_all_that_were_given(sample: Any, noon: Any) -> None:
    subject = Subject("Ada Noor", aliases=("Lazarus Group invoice 12",))
    (best, *_) = lookup.match_sanctions(
        engine=engines.load_current_engine(noon), subject=subject
    ).matches
    assert break_down_score(best.recorded(), subject.names)["without"] == "invoice, 12"


@pytest.mark.parametrize("sheet", [True, False])
def test_a_long_word_is_cut_on_the_page_with_the_whole_in_its_title_and_whole_in_print(
    sample: Any, noon: Any, sheet: bool
) -> None:
    match = drawn(noon, f"Lazarus Group {LONG}") | {"score": 100}
    html = render_to_string("review/match.html", {"match": match, "sheet": sheet})
    if sheet:
        assert f"<td>{LONG}</td>" in html
    else:
        assert f'<span title="{LONG}">{LONG[:39]}…</span>' in html
        assert f"not compared: {LONG[:23]}…</summary>" in html
