"""The box of every note at the desk: nothing typed into it is cut."""

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
    """Draw a labelled box for a note of at most so many characters, with what was typed before.

    A browser cuts what is above a `maxlength` without a word, so there is none: count.js counts,
    and the server refuses what is too long and gives it back.
    """
    least = SHORTEST_NOTE if required else 0
    return {"name": name, "label": label, "text": text, "rows": rows, "least": least, "most": most}
