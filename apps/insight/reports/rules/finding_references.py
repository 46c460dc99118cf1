"""References of findings as a buyer reads them: documents by their names. Pure."""

import re
from collections.abc import Mapping

DOCUMENTS: Mapping[str, str] = {
    "1": "specification, document 1 (Compliance Oracle Service)",
    "2": "specification, document 2 (Payments Integration, Travel-Rule Ledger, Webhooks, "
    "Settlement Agent and Reports)",
    "3": "specification, document 3 (Pricing, Stability, ESG Oracle, Intelligence and Commodity "
    "Forecast APIs)",
    "D": "design of Compliance Oracle",
}
REGULATIONS: Mapping[str, str] = {
    "FATF R.16": "Financial Action Task Force, Recommendation 16 (payment transparency)",
    "Delegated Regulation (EU) 2023/2772": "Delegated Regulation (EU) 2023/2772 (European "
    "Sustainability Reporting Standards)",
}
_SHORT_REFERENCE = re.compile(r"([123D]) §([0-9.]+)(?:[ ,]+(.+))?")


def expand_reference(ref: str) -> str:
    """Return a reference with its document's name; one that is of no document, as it is."""
    match = _SHORT_REFERENCE.fullmatch(ref)
    if match is None:
        return REGULATIONS.get(ref, ref)
    document, section, where = match.groups()
    return f"{DOCUMENTS[document]}, section {section}" + (f", {where}" if where else "")
