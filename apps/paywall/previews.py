"""What a 402 tells of what is sold beside its price (document 2 section 2.6)."""

from typing import Any

from apps.core.endpoints import Preview
from apps.core.money import from_micro
from apps.core.rendering import render
from apps.paywall.serializers import ReportPreviewOut, usdc

ASSET = "USDC"


def members(preview: Preview | None, *, amount: int) -> dict[str, Any]:
    """Return further members of a 402's body; `amount` in micro-units of USDC."""
    if preview is None:
        return {}
    told = {
        "type": preview.kind,
        "what_you_get": list(preview.gives),
        "fee": {"amount_usdc": usdc(from_micro(amount).normalize()), "asset": ASSET},
    }
    return {"reportPreview": render(ReportPreviewOut, told)}
