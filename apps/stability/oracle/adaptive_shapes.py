"""Shapes of what the adaptive part tells (document 3 section 2.3)."""

from typing import Any

from rest_framework import serializers

from apps.core.shapes import Flag, Free, OneOf, Shape, Text, Whole
from apps.stability.oracle.serializers import of_1


class BreakerOut(serializers.Serializer[Any]):
    """The breaker of one publisher of figures, in the specification's own spelling."""

    breaker_name = Text()
    is_open = Flag()
    failure_count = Whole(min_value=0)


class TierWeightsOut(Shape):
    """Weights of the seven adaptive tiers in the score; the other two layers hold the rest."""

    climate = of_1()
    commodity = of_1()
    macro = of_1()
    fx = of_1()
    basket = of_1()
    geopolitical = of_1()
    capital = of_1()


class AdaptiveOut(Shape):
    """DISABLED where the weights on record cannot be read: those as first set are told then."""

    status = OneOf(choices=("ACTIVE", "DISABLED"))
    weights = TierWeightsOut()
    weights_version = Whole()
    predictions = Whole(min_value=0, help_text="Outcomes that are resolved.")
    circuit_breakers = BreakerOut(many=True)
    policy = Free(help_text="`confidenceThreshold` and whether policy is executed: it is not.")
