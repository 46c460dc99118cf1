"""Which matters are about the same party of the same client. Pure."""

import re
import unicodedata

_APART = re.compile(r"[\W_]+")


def identify_party(*, owner: str, party: str, lei: str, record: str) -> list[str]:
    """Return the key of a matter's party: what it shares with others of the same party.

    The LEI identifies a party, else its name, whatever its case and marks, in any order of its
    words. `record` names the blocked outcome: one without a party is a party by itself.
    """
    name = " ".join(sorted(_APART.split(unicodedata.normalize("NFKC", party.casefold()))))
    if lei:
        return [owner, "lei", lei.upper()]
    return [owner, "name", name.strip()] if name.strip() else ["record", record]
