"""A report as a page that can be printed and loads nothing from other hosts."""

import json
from collections.abc import Mapping
from typing import Any

from django.template.loader import render_to_string

from apps.insight.reports.documents.presenters import present_report


def render_page(body: Mapping[str, Any]) -> bytes:
    """Return the page of a report in UTF-8."""
    text = json.dumps(body, indent=2, ensure_ascii=False)
    return render_to_string(
        "reports/report.html", {"report": present_report(body), "text": text}
    ).encode()
