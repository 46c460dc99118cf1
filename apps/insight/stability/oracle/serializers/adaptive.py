"""Shapes of what the adaptive part tells (document 3 section 2.3)."""

from typing import Any

from rest_framework import serializers

from apps.insight.stability.oracle.serializers.runs import fraction_field
from apps.platform.api.shapes import Flag, FreeObject, OneOf, Shape, Text, Whole


class BreakerOut(serializers.Serializer[Any]):
    """The circuit breaker of one publisher of figures, in the specification's own spelling."""

    breaker_name = Text()
    is_open = Flag()
    failure_count = Whole(min_value=0)


class TierWeightsOut(Shape):
    """Weights of the seven adaptive tiers in the score; the other two layers have the rest."""

    climate = fraction_field()
    commodity = fraction_field()
    macro = fraction_field()
    fx = fraction_field()
    basket = fraction_field()
    geopolitical = fraction_field()
    capital = fraction_field()


class AdaptiveOut(Shape):
    """DISABLED if the weights on record cannot be read: the initial weights are returned then."""

    status = OneOf(choices=("ACTIVE", "DISABLED"))
    weights = TierWeightsOut()
    weights_version = Whole()
    predictions = Whole(min_value=0, help_text="The number of resolved outcomes.")
    circuit_breakers = BreakerOut(many=True)
    policy = FreeObject(
        help_text="`confidenceThreshold`, and whether policy is executed, which it is not."
    )
