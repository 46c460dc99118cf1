"""Opinions of a language model."""

from tests.mutants.rows import Row

ROWS: tuple[Row, ...] = (
    (
        "advisory-links-told",
        "apps/platform/advisory/opinions.py",
        "    if any(_LINK_OR_MARKUP.search(text) for text in _collect_texts(values)):\n",
        "    if not values:\n",
        "An opinion that sends its reader elsewhere is told.",
        ("tests/advisory/test_opinions.py::test_an_answer_of_another_form_is_left_out",),
    ),
)
