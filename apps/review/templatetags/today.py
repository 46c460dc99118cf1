"""`{% today as name %}`: what the home page shows of cases."""

from typing import Any

from django import template

from apps.core.clock import now
from apps.review.today import Today
from apps.review.today import today as found

register = template.Library()


@register.simple_tag(takes_context=True)
def today(context: dict[str, Any]) -> Today | None:
    """Return the reader's Today, or None for who may not see cases."""
    return found(user=context["request"].user, now=now())
