"""The content of the case page, from evidence of any domain.

A picture is a plain dict; every part is optional, all values are texts unless noted:

* `request`: the request, as `payment` and `party` (rows of `label`, `value`) and `missing`,
  a list in words of optional data that was not given
* `matches`, the best first: rows of `check` (what was asked), `key` (of the listed party, as
  `CaseType.listed` has it), `list`, `entity` (its id on the
  list), `name` (under which the list has the party), `alias` (the listed name that matched, if it
  is another), `weak` (bool: the list itself calls that name weak), `by_alias` (the name that was
  asked beside the party's, if that found it), `standing` (under which programmes it is listed,
  and since when), `of` (whose match it is, if not the party's own),
  `whose` (the same in words, where it is no owner of the party), `score` (0-100) and
  * `compared`: rows of `what`, `label` (under which the request has it), `asked`, `listed` (list
    of texts), `verdict` (AGREES, RESEMBLES, DIFFERS, NOT_GIVEN), `words` that tell it, and
    `effect`: by how many points it moved the score, as `-25`, if it did; the name comes first
  * `pairs` (rows of `asked`, `listed`, `how` in words, `same` bool, `likeness`, `weight` and
    `carried`), `only_asked` and `only_listed` (the same of words without counterpart, or words
    alone): all weights make 100, `carried` of the match is the sum of what they carried, and
    `steps` (rows of `what`, `effect`) lead from there to `names`, the score of the names, and
    `sum` tells in words and percents what makes the score
  * `beside`: rows of `asked`, `listed` and `how`: words of the names that carry no weight;
    `without` tells those in a line that were not compared at all
  * `qualifiers`: rows of `what`, `asked`, `listed`, `agrees` bool, `alone` bool if nothing was
    compared, and `effect`: they lead from there to the score
  * `details`: rows of `label`, `value`: what else the list says
* `facts`: rows of `label`, `value`: what else was found
* `chain`: rows of `role`, `name`, `lei`, `country`, `finding`, `hit` (bool), `level` (0 is the
  subject, and each owner is one level above the entity it owns) and `owns`, in words
* `network`: who paid whom around a payment: `nodes` (rows of `wallet`, `short`, `role`, `standing`
  and position), `edges` (rows of `x1`, `y1`, `x2`, `y2`, `words`, `said` and
  `this`, which is true of the payment itself), `width`, `height` and `more`
* `lists`: rows of `name`, `version`, `published` (in words, may be empty): what was screened
  against
* `record`: rows of `label`, `value`: versions and numbers that an examiner asks for

All other evidence is shown as plain rows: nothing is hidden.
"""

from collections.abc import Iterator
from typing import Any

from apps.backoffice.review import case_types
from apps.backoffice.review.models import Case
from apps.platform.common.country_names import country_name

PARTS = ("facts", "matches", "chain", "network", "lists", "record")


def draw_case_evidence(case: Case) -> dict[str, Any]:
    """Return the parts of a case's evidence, and as `rest` what has no part."""
    evidence = case_types.draw_evidence(case.kind, case.evidence)
    case_evidence: dict[str, Any] = {part: evidence.get(part) or [] for part in PARTS}
    others = {name: value for name, value in evidence.items() if name not in (*PARTS, "request")}
    # what the evidence does not keep of it, the case itself has
    request = evidence.get("request") or {}
    return case_evidence | {
        "request": {
            "payment": request.get("payment")
            or [case_fact for case_fact in _list_case_facts(case) if case_fact["value"]],
            "party": request.get("party") or [],
            "missing": request.get("missing", ""),
        },
        "rest": list(flatten_values(others)),
    }


def _list_case_facts(case: Case) -> Iterator[dict[str, str]]:
    yield {"label": "Amount", "value": _format_amount(case)}
    yield {"label": "Country", "value": country_name(case.country)}
    yield {"label": "LEI", "value": case.lei}
    yield {"label": "Wallet", "value": case.wallet}
    yield {"label": "Reference", "value": case.reference}


def _format_amount(case: Case) -> str:
    if case.amount is None:
        return ""
    text = f"{case.amount:,.2f} {case.currency}".strip()
    if case.amount_usd is None:
        return f"{text} (USD value unknown)"
    return text if case.currency == "USD" else f"{text} (about {case.amount_usd:,.2f} USD)"


def flatten_values(value: Any, label: str = "") -> Iterator[dict[str, str]]:
    """Yield nested values as rows of `label` and `value`; what is empty is left out."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from flatten_values(inner, f"{label} {name}".strip())
    elif isinstance(value, list) and any(isinstance(inner, dict | list) for inner in value):
        for number, inner in enumerate(value, 1):
            yield from flatten_values(inner, f"{label} {number}".strip())
    elif isinstance(value, list):
        if value:
            yield {"label": label, "value": ", ".join(str(inner) for inner in value)}
    elif value not in (None, ""):
        yield {"label": label, "value": str(value)}
