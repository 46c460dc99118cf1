"""What the case page draws from evidence, whatever domain it came from.

A picture is a plain dict; every part is optional, all values are texts unless noted:

* `facts`: rows of `label`, `value`
* `matches`: rows of `check` (what was asked), `list`, `name` (as listed), `entity` (its id on
  the list), `score` (0-100), `pairs` (rows of `asked`, `listed`, `how` in words, `same` bool),
  `only_asked` and `only_listed` (lists of words without counterpart), `qualifiers` (rows of
  `what`, `asked`, `listed`, `agrees` bool, `alone` bool if nothing was compared, and `effect`:
  by how many points it moved the score, as `-25`), `steps` (rows of `what`, `effect`: what else
  moved it), `details` (rows of `label`, `value`)
* `chain`: rows of `role`, `name`, `lei`, `country`, `finding`, `hit` (bool), subject first
* `lists`: rows of `name`, `version`, `published` (in words, may be empty): what was screened
  against

Whatever else there is, is shown as plain rows: nothing that was known is hidden.
"""

import logging
from collections.abc import Iterator
from typing import Any

from apps.review import kinds
from apps.review.models import Case
from config.review import KINDS

logger = logging.getLogger(__name__)
PARTS = ("facts", "matches", "chain", "lists")


def picture(case: Case) -> dict[str, Any]:
    """Return the parts of a case's evidence, and as `rest` what has no part."""
    drawn = _drawn(case)
    found: dict[str, Any] = {part: drawn.get(part) or [] for part in PARTS}
    others = {name: value for name, value in drawn.items() if name not in PARTS}
    return found | {"rest": list(flat(others))}


def _drawn(case: Case) -> dict[str, Any]:
    draw = kinds.named(case.kind).picture if case.kind in KINDS else None
    if draw is None:
        return case.evidence
    try:
        drawn = draw(case.evidence)
    except (LookupError, TypeError, ValueError, AttributeError):
        # evidence of another release: a case must stay readable, so it is shown as it is stored
        logger.exception("the evidence of case %s cannot be drawn", case.pk)
        return {"evidence": case.evidence}
    return drawn


def flat(value: Any, label: str = "") -> Iterator[dict[str, str]]:
    """Yield nested values as rows of `label` and `value`; what is empty is left out."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from flat(inner, f"{label} {name}".strip())
    elif isinstance(value, list) and any(isinstance(inner, dict | list) for inner in value):
        for number, inner in enumerate(value, 1):
            yield from flat(inner, f"{label} {number}".strip())
    elif isinstance(value, list):
        if value:
            yield {"label": label, "value": ", ".join(str(inner) for inner in value)}
    elif value not in (None, ""):
        yield {"label": label, "value": str(value)}
