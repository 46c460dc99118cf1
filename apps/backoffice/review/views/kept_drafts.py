"""Text typed into a form that has disappeared because a colleague was faster.

It is shown to be copied, and never sent again: the server returned it after a refusal, or the
browser kept it (static/desk/drafts.js).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from apps.backoffice.review.models import Escalation

# forms whose text the browser keeps as one draft: the decision box
BOX = ("decide", "confirm", "return")
WORDS = {
    "decision": "Your note",
    "escalate": "Your escalation note",
    "refer": "Your referral note",
    "snooze": "Your snooze note",
    "merge": "Your merge note",
}


@dataclass(frozen=True, slots=True)
class KeptDraft:
    """A text of a form by the name of its draft; empty where only the browser may have one."""

    name: str
    words: str
    text: str


def get_step_draft_name(step: str) -> str:
    """Return the name under which the text of a step is kept."""
    return "decision" if step in BOX else step


def find_forms_on_page(page: Mapping[str, Any]) -> dict[str, bool]:
    """Tell which forms with a text a page of a case has, by the name of their draft."""
    may, case = page["may"], page["case"]
    return {
        "decision": (may.decide or may.confirm) and not page["altered"],
        "escalate": may.route and case.escalation != Escalation.OFFICER,
        "refer": page["refers"],
        "snooze": may.aside,
        "merge": bool(page["mergeable"]),
    }


def list_kept_drafts(page: Mapping[str, Any], *, refused: str, text: str) -> list[KeptDraft]:
    """Return the texts whose form a page lacks; `text` came with the step that was refused."""
    stands, draft_name = find_forms_on_page(page), get_step_draft_name(refused)
    return [
        KeptDraft(name, words, text if name == draft_name else "")
        for name, words in WORDS.items()
        if not stands[name]
    ]
