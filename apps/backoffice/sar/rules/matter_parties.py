"""Which matters are about the same party of the same client. Pure."""

import re
import unicodedata

_APART = re.compile(r"[\W_]+")


def identify_party(*, owner: str, party: str, lei: str, record: str) -> list[str]:
    """Return the key that a matter shares with others of the same party.

    `record` names the blocked outcome: one without a party is a party by itself.
    """
    # the LEI if there is one, else the name: in any case and with any punctuation, and in any order
    # of its words
    name = " ".join(sorted(_APART.split(unicodedata.normalize("NFKC", party.casefold()))))
    if lei:
        return [owner, "lei", lei.upper()]
    return [owner, "name", name.strip()] if name.strip() else ["record", record]
