"""The preview of goods that a 402 contains beside the price (document 2 section 2.6)."""

from typing import Any

from apps.access.paywall.serializers import ReportPreviewOut, format_wire_usdc
from apps.platform.api.operations import Preview
from apps.platform.api.representation import render_answer
from apps.platform.common.money import from_micro

ASSET = "USDC"


def build_preview_members(preview: Preview | None, *, amount: int) -> dict[str, Any]:
    """Return further members of a 402's body; `amount` in micro-units of USDC."""
    if preview is None:
        return {}
    members = {
        "type": preview.kind,
        "what_you_get": list(preview.gives),
        # normalized first: the report costs `2.00`, not `2.000000`
        "fee": {"amount_usdc": format_wire_usdc(from_micro(amount).normalize()), "asset": ASSET},
    }
    return {"reportPreview": render_answer(ReportPreviewOut, members)}
