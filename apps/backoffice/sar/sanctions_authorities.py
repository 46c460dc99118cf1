"""The authority to which a match on each list is reported, and the deadline. Pure.

OFAC requires reports of property and payments of parties on its own lists. Parties listed only by
the United Nations, the European Union or the United Kingdom are not among them; local law decides
what must be reported. A list of unknown origin may contain OFAC's parties, so its matches count as
OFAC's.
"""

from collections.abc import Collection
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Authority:
    """The recipient of a report on a match, the deadline in words, and the legal basis."""

    name: str
    due: str
    basis: str


OFAC = Authority(
    "OFAC (United States)",
    "within 10 business days of the United States",
    "31 CFR 501.603, 501.604",
)
OFSI = Authority(
    "OFSI (United Kingdom)",
    "as soon as practicable",
    "regulations under the Sanctions and Anti-Money Laundering Act 2018, "
    "as The Russia (Sanctions) (EU Exit) Regulations 2019, reg. 70",
)
MEMBER_STATE = Authority(
    "the competent authority of the member state (European Union)",
    "immediately; under some regulations within two weeks",
    "the regulation of the regime, as Regulation (EU) No 269/2014 Art. 8",
)
NATIONAL = Authority(
    "the authority that national law names (United Nations)",
    "as national law says: the resolutions bind states",
    "UN Charter Art. 25 and 41",
)
# short names of lists (apps/reference/watchlists/catalog.py)
BY_LIST = {
    "us-ofac-sdn": OFAC,
    "us-ofac-cons": OFAC,
    "uk-sl": OFSI,
    "eu-fsf": MEMBER_STATE,
    "un-sc": NATIONAL,
}


def is_ofac_report_owed(lists: Collection[str]) -> bool:
    """Tell whether OFAC may be owed a report of a match on these lists."""
    # the safe side: without a list, or with one of unknown origin, a report may be owed
    return not lists or any(BY_LIST.get(list_, OFAC) is OFAC for list_ in lists)


def list_authorities_of_lists(lists: Collection[str]) -> list[tuple[str, Authority | None]]:
    """Return each list with its authority, None if the list's origin is unknown."""
    return [(list_, BY_LIST.get(list_)) for list_ in sorted(set(lists))]
