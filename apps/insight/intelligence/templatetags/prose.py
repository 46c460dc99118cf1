"""Format prose of the catalogue and figures on pages."""

from typing import Any

from django import template
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from apps.insight.intelligence import labels

register = template.Library()


@register.filter
def coded(text: str) -> SafeString:
    """Return escaped prose, with text between backticks as code."""
    parts = enumerate(text.split("`"))
    return format_html_join("", "{}", ((_format_part(at, part),) for at, part in parts))


def _format_part(at: int, text: str) -> SafeString | str:
    return format_html_join("", "<code>{}</code>", [(text,)]) if at % 2 else text


@register.filter
def number(value: Any) -> str:
    """Return a number with two decimals at most; a dash for none."""
    return labels.NONE if value is None else labels.format_number(value)


@register.filter
def share(value: Any) -> str:
    """Return a part of one in hundredths; a dash for none."""
    return labels.NONE if value is None else labels.format_share(value)


@register.filter
def month(value: Any) -> str:
    """Return the month of a day, in words."""
    return labels.format_month(value)
