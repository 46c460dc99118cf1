"""What the ledger of agents holds, as the desk says it."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

# names that do not say by themselves what they are
NAMES = {
    "ap2_compatible": "AP2 document",
    "leiEntityName": "LEI entity",
    "nameAgreement": "Similarity of the stated name, out of 100",
    "secretDigest": "Digest of the secret",
    "tierNote": "Reason for this level",
    "key": "Thumbprint of the agent's key",
    "jti": "Credential",
}
SPOKEN = {"lei": "LEI", "id": "id", "usd": "USD", "esg": "ESG", "kya": "KYA", "fatf": "FATF"}


def label_payload_lines(data: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield name and value of what a step records, parts of parts one after the other."""
    for name, value in data.items():
        if isinstance(value, Mapping):
            yield from label_payload_lines(value)
        else:
            yield NAMES.get(name) or _label_name(name), _format_value(value)


def _label_name(name: str) -> str:
    """Return a name of the wire in words: `ownerLei` is `Owner LEI`."""
    # camelCase of the wire and snake_case of columns
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|_", " ", name).lower().split()
    text = " ".join(SPOKEN.get(word, word) for word in words)
    return text[:1].upper() + text[1:]


def _format_value(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(str(item) for item in value) or "none"
    return "none" if value in (None, "") else str(value)
