"""Words that are too long for a cell, cut where a page can say all of them otherwise."""

from typing import Any

from django import template
from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString

register = template.Library()
LONGEST = 40  # letters of a word that is drawn whole


@register.simple_tag(takes_context=True)
def word(context: Any, text: str) -> SafeString:
    """Draw a word, a long one cut with the whole in its title; on a `sheet`, in print, whole."""
    if len(text) <= LONGEST or context.get("sheet"):
        return conditional_escape(text)
    return format_html('<span title="{}">{}…</span>', text, text[: LONGEST - 1])
