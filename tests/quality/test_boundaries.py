"""Boundaries of the specification that no test of a feature holds by itself."""

from decimal import Decimal

import pytest
from rest_framework.serializers import ValidationError

from apps.insight.esg.narration import NARRATION
from apps.insight.stability.oracle.services import model_notes
from apps.platform.api.routers import operations_of_service


def test_a_narration_is_waited_for_eight_seconds() -> None:
    assert NARRATION.deadline == 8


@pytest.mark.parametrize(("count", "taken"), [(3, True), (4, False)])
def test_a_note_of_the_oracle_has_at_most_three_alerts(count: int, taken: bool) -> None:
    said = {"reasoning": "Calm.", "confidence": Decimal("0.8"), "alerts": ["One."] * count,
            "outlook": "STABLE"}  # fmt: skip
    shape = model_notes.QUESTION.shape(data=said)
    if taken:
        shape.is_valid(raise_exception=True)
        assert len(shape.validated_data["alerts"]) == count
    else:
        with pytest.raises(ValidationError, match="alerts"):
            shape.is_valid(raise_exception=True)


def test_the_climate_report_costs_two_dollars_in_millionths() -> None:
    [row] = [row for row in operations_of_service("reports") if row.path == "report/climate"]
    assert row.access.price is not None and row.access.price.paid == 2_000_000
