"""The input box of every note at the desk; it never cuts the text."""

from typing import Any

from django import template

from apps.platform.desk.note_validation import LONGEST_REASON, SHORTEST_NOTE

register = template.Library()


@register.inclusion_tag("desk/note.html")
def note(
    name: str,
    label: str,
    text: str = "",
    *,
    rows: int = 3,
    required: bool = True,
    most: int = LONGEST_REASON,
) -> dict[str, Any]:
    """Render a labelled box for a note with a character limit and the previous input."""
    # `most` is no `maxlength`, with which a browser silently cuts the text: count.js counts, and
    # the server refuses a text that is too long and returns it to the form
    least = SHORTEST_NOTE if required else 0
    return {"name": name, "label": label, "text": text, "rows": rows, "least": least, "most": most}
