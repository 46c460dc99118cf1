"""The ESG oracle: articles of SFDR, and the live score."""

from tests.mutants.rows import Row

ROWS: tuple[Row, ...] = (
    (
        "esgoracle-nine-too-early",
        "apps/esgoracle/rules/articles.py",
        "NINE = 80",
        "NINE = 79",
        "An entity below 80 is told as compatible with Article 9.",
        ("tests/esgoracle/test_entity.py::"
         "test_article_9_begins_at_eighty_with_everything_else_shown",),
    ),
    (
        "esgoracle-unknown-is-no-violation",
        "apps/esgoracle/rules/articles.py",
        "return all(facts.statuses.get(number, UNKNOWN) != UNKNOWN for number in VIOLATIONS)",
        "return True",
        "Who tells nothing of violations and weapons is compatible with Article 9.",
        ("tests/esgoracle/test_entity.py::test_an_article_wants_each_of_its_conditions",),
    ),
)  # fmt: skip
