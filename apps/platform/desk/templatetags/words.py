"""Shorten words that are too long for a cell if the page shows the whole elsewhere."""

from typing import Any

from django import template
from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString

register = template.Library()
LONGEST = 40  # letters of the longest word that is not cut


@register.simple_tag(takes_context=True)
def word(context: Any, text: str) -> SafeString:
    """Render a word; a long one is cut, with the whole in its title; on a printed `sheet` whole."""
    if len(text) <= LONGEST or context.get("sheet"):
        return conditional_escape(text)
    return format_html('<span title="{}">{}…</span>', text, text[: LONGEST - 1])
