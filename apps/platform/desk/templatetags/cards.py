"""Rows of Django's lists in the desk's own style: each cell knows its column's heading."""

from typing import Any

from django import template
from django.utils.html import escape, strip_tags
from django.utils.safestring import SafeString

register = template.Library()
CELLS = ("<td", "<th")
LONGEST_WORD = 20  # letters; a cell breaks a longer word, and keeps all shorter ones whole


@register.filter
def carded(results: Any, headers: Any) -> list[Any]:
    """Return the rows of a changelist with `data-label` on each cell and `data-row` on its link.

    `results` are the rows of `django.contrib.admin.templatetags.admin_list.results`: cells as HTML;
    `headers` its `result_headers`, one per cell. A phone has no room for a heading above a column,
    so each cell shows its own; keyboard shortcuts move from link to link. Checkboxes that select
    rows have no text heading and get no label. A cell with a word too long for a column has
    `data-long`.
    """
    labels = [str(header["text"]) for header in headers]
    for row in results:
        # in place: Django's result list carries the form of a row beside its cells
        row[:] = [_label_cell(cell, label) for cell, label in zip(row, labels, strict=False)]
        linked = next((at for at, cell in enumerate(row) if "<a href=" in cell), None)
        if linked is not None:
            row[linked] = SafeString(row[linked].replace("<a href=", "<a data-row href=", 1))
    return list(results)


def _label_cell(cell: str, label: str) -> SafeString:
    # its column has a checkbox for a heading
    if "action-checkbox" in cell or not cell.startswith(CELLS):
        return SafeString(cell)
    named = escape(label[:1].upper() + label[1:])
    widest = max((len(word) for word in strip_tags(cell).split()), default=0)
    long = " data-long" if widest > LONGEST_WORD else ""
    return SafeString(f'{cell[:3]} data-label="{named}"{long}{cell[3:]}')
