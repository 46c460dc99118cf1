"""docs/forecast-method.md is made from the tables."""

from pathlib import Path

from apps.insight.forecast.management.commands.print_forecast_method import render_document

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "forecast-method.md"


def test_the_document_is_that_of_the_tables() -> None:
    assert DOCUMENT.read_text(encoding="utf-8") == render_document(), (
        "run: ./run manage print_forecast_method > docs/forecast-method.md"
    )
