"""docs/intelligence-methods.md is made from the catalogue."""

from pathlib import Path

from apps.insight.intelligence.catalogue import PRODUCTS
from apps.insight.intelligence.management.commands.print_methods import build_methods_document

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "intelligence-methods.md"


def test_the_page_is_that_of_the_catalogue() -> None:
    assert DOCUMENT.read_text(encoding="utf-8") == build_methods_document(), (
        "run: ./run manage print_methods > docs/intelligence-methods.md"
    )


def test_every_product_says_what_it_cannot_see() -> None:
    for product in PRODUCTS:
        prose = product.prose
        texts = (prose.measures, prose.formula, prose.window, prose.blind, prose.reference)
        assert all(len(text) > 10 for text in texts), product.name
