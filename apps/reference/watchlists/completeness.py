"""Whether what was read is the whole list: counts, losses, ends of files. Pure.

DESIGN.md section 4, Fail closed, and section 5, Lists: a file that was cut off, forgotten or read
in the wrong encoding must not go live as if its publisher had removed parties.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from apps.reference.watchlists.listed_entity import ListedEntity

KINDS = ("aliases", "addresses", "identifiers", "names")
FEWEST_COMPARED = 20  # of a kind: under these a share says nothing
LOST_PERCENT = 1  # of what was read may be lost, and at least LOST_ROWS
LOST_ROWS = 3
MARK, LINE = b"\x1a", b"\n"  # OFAC ends its CSV files with control-Z
PARTS = {"ofac-csv": ("SDN.CSV", "ALT.CSV", "ADD.CSV")}

# What is left of letters that were read in another encoding than they were written in: lost
# ones, control characters, UTF-8 read as Latin, Cyrillic read as Latin, letters made question marks
_DAMAGED = re.compile(
    "[\ufffd\x80-\x9f]|[ÃÂ][\x80-\xbf]|[ÐÑ].[ÐÑ]|â(?:\x80|€)|[\xc0-\xff]{4,}"
    r"|\?\?|\w\?\w"
)

# What was lost, in words that follow a count
LOSSES = {
    "dropped": "have no name or no number and were left out",
    "orphans": "belong to a party that the main file does not have",
    "unknown_type": "are of a type that is not known",
    "unreadable": "have a name in original script that cannot be read and was left out",
    "damaged": "have a name in a broken encoding",
}


@dataclass(slots=True)
class FileReport:
    """What a parser reports about files, apart from their parties.

    `published` is what the files say of their publication, `parts` the files by their kind,
    `losses` counts by the keys of LOSSES, `terms` the words that were not known.
    """

    published: datetime | None = None
    parts: set[str] = field(default_factory=set)
    losses: Counter[str] = field(default_factory=Counter)
    terms: set[str] = field(default_factory=set)

    def strange(self, term: str) -> None:
        """Count a sanctioned party of a type that is not known."""
        self.losses["unknown_type"] += 1
        if len(self.terms) < FEWEST_COMPARED:
            self.terms.add(term[:40])


def count_entity_facts(entities: Iterable[ListedEntity]) -> Counter[str]:
    """Count what parties bear, by KINDS; those of no screened topic, and of a damaged name."""
    counts: Counter[str] = Counter()
    for entity in entities:
        counts["names"] += len(entity.names)
        counts["aliases"] += sum(name.kind != "primary" for name in entity.names)
        counts["addresses"] += len(entity.addresses)
        counts["identifiers"] += len(entity.identifiers)
        counts["other"] += entity.topic == "other"
        counts["damaged"] += any(_DAMAGED.search(name.full) for name in entity.names)
    return counts


def describe_shrinkage(
    *, before: Mapping[str, int], counts: Mapping[str, int], percent: int
) -> str:
    """Return which kind of fact fell under a share of the last version's, empty when none did."""
    for kind in KINDS:
        old, new = before.get(kind, 0), counts.get(kind, 0)
        if old >= FEWEST_COMPARED and new * 100 < old * percent:
            return f"{new} {kind}, the live version has {old}"
    return ""


def describe_losses(*, losses: Mapping[str, int], total: int) -> list[tuple[str, bool]]:
    """Return what was lost, in sentences, each with whether it is too much; `total` parties."""
    # one per cent of fewer than a hundred parties would be no row at all
    bound = max(LOST_ROWS, (total * LOST_PERCENT) // 100)
    return [
        (f"{losses[kind]} of what was read {words}.", losses[kind] > bound)
        for kind, words in LOSSES.items()
        if losses.get(kind)
    ]


def find_missing_parts(*, format: str, parts: Iterable[str]) -> list[str]:
    """Return the files that a list of this format consists of and that were not given."""
    return [name for name in PARTS.get(format, ()) if name not in set(parts)]


def classify_file_ending(tail: bytes) -> str:
    """Say how a file ends, from its last bytes: mark, line or none."""
    if tail.endswith(MARK):
        return "mark"
    return "line" if tail.endswith(LINE) else "none"


def find_truncated_file(
    *, before: Sequence[Mapping[str, object]], files: Sequence[Mapping[str, object]], format: str
) -> str:
    """Return the name of a file that ends less completely than in the last version.

    Files are matched by name, a single one without. A file of OFAC's must at least end with a line
    break. Empty if all are whole.
    """
    order = ("mark", "line", "none")
    only = len(before) == len(files) == 1
    known = {_publisher_file_name(row): str(row.get("ends", "none")) for row in before}
    for row in files:
        ends = str(row.get("ends", "none"))
        ended = (
            str(before[0].get("ends", "none"))
            if only
            else known.get(_publisher_file_name(row), "none")
        )
        least = "line" if format in PARTS else "none"
        # `order` begins with the most complete ending: the stricter of both demands applies
        if order.index(ends) > min(order.index(ended), order.index(least)):
            return str(row["name"])
    return ""


def _publisher_file_name(row: Mapping[str, object]) -> str:
    """Return a file's name as its publisher has it: a download's begins with its place."""
    return re.sub(r"^\d+-", "", str(row.get("name", ""))).lower()
