"""Listed parties in the forms in which payments name them: `./run bench listed_forms`.

    ./run bench listed_forms [--quick] [--parties N] [--data DIR] [--json OUT] [--show]

Persons, companies, ships and aircraft of OFAC (January 2022) and the UN are screened as the product
does: in their own script, as other countries spell them, cut at 35 characters, shortened, with
initials, slips, former names, IMO and tail numbers. Printed for each form: the share of parties
that are found at a score of 70 and of 45, and how many parties a name hits. Aliases and names in
original script are withheld from the index on which they are sought.
"""

import argparse
import json
import os
import sys
import tempfile
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()  # a look-up of the lists is of the platform

from apps.reference.watchlists import lookup  # noqa: E402
from apps.reference.watchlists.matching.index import IndexEntry, MatchIndex, build_index  # noqa: E402
from apps.reference.watchlists.rules.score_limits import (  # noqa: E402
    BLOCK_SCORE,
    PARTIAL_SCORE,
    to_whole_percent,
)
from apps.reference.watchlists.subjects import Subject  # noqa: E402
from benchmarks import listed_forms_data, matching_data  # noqa: E402
from benchmarks.intervals import wilson  # noqa: E402
from benchmarks.listed_forms_data import Sought  # noqa: E402
from config import warm_up  # noqa: E402

SHOWN = 8
LEVELS = {BLOCK_SCORE: "match", PARTIAL_SCORE: "look"}


@dataclass(slots=True)
class Form:
    """How parties are found in a form."""

    sought: int = 0
    found: dict[int, int] = field(default_factory=lambda: dict.fromkeys(LEVELS, 0))
    hits: dict[int, int] = field(default_factory=lambda: dict.fromkeys(LEVELS, 0))
    missed: list[tuple[int, str, str]] = field(default_factory=list)

    def add(self, asked: Sought, scores: dict[str, int], listed_as: str) -> None:
        """Count a party: the scores of all who are hit, by their id."""
        self.sought += 1
        own = scores.get(asked.ref, 0)
        for level in LEVELS:
            self.found[level] += own >= level
            self.hits[level] += sum(score >= level for score in scores.values())
        if own < BLOCK_SCORE:
            self.missed.append((own, asked.name, listed_as))


def main() -> int:
    """Index the lists, seek the parties, and print each form."""
    options = _options()
    warm_up.load_name_tables()
    entries = matching_data.official_lists(options.data)
    assert entries is not None
    asked = list(listed_forms_data.sought(entries, options.data, count=options.parties))
    with tempfile.TemporaryDirectory() as folder:
        forms = seek(asked, entries=entries, folder=Path(folder))
    show(forms, every=options.show)
    if options.json:
        told = figures(forms) | {"listed_parties": len(entries)}
        options.json.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
    return 0


def seek(
    asked: Sequence[Sought], *, entries: Sequence[IndexEntry], folder: Path
) -> dict[str, Form]:
    """Return how the parties of each form are found, withheld names in an index without them."""
    forms: dict[str, Form] = defaultdict(Form)
    full_by_ref = {entry.ref: entry.entity.names[0].full for entry in entries}
    for withheld in (False, True):
        chosen = [sought for sought in asked if sought.withheld is withheld]
        if not chosen:
            continue
        directory = folder / f"withheld-{withheld}"
        kept = listed_forms_data.without_withheld(entries, asked) if withheld else iter(entries)
        build_index(entries=kept, directory=directory)
        index = MatchIndex.open(directory)
        for one in chosen:
            subject = Subject(name=one.name, entity_type=one.entity_type)
            hits = lookup.find_sanction_hits(index=index, subject=subject).hits
            scores = {hit.ref: to_whole_percent(hit.score) for hit in hits}
            forms[one.form].add(one, scores, full_by_ref[one.ref])
    return forms


def show(forms: dict[str, Form], *, every: bool) -> None:
    """Print the forms, and of each the parties that are not found or found too low."""
    print(f"{'form':58s} {'n':>5s}  found at 70 (95 %)          at 45   hits at 70, at 45")
    for name, form in sorted(forms.items()):
        low, high = wilson(form.found[BLOCK_SCORE], form.sought)
        shares = {level: form.found[level] / form.sought for level in LEVELS}
        hits = {level: form.hits[level] / form.sought for level in LEVELS}
        print(
            f"{name:58s} {form.sought:5d}  {shares[BLOCK_SCORE]:7.2%} ({low:.2%} to {high:.2%})"
            f"  {shares[PARTIAL_SCORE]:7.2%}  {hits[BLOCK_SCORE]:6.2f} {hits[PARTIAL_SCORE]:6.2f}"
        )
        for score, asked, listed_as in sorted(form.missed)[: None if every else SHOWN]:
            print(f"      {score:3d}  {asked}  of  {listed_as}")


def figures(forms: dict[str, Form]) -> dict[str, Any]:
    """Return what the report reads."""
    return {
        "forms": {
            name: {
                "sought": form.sought,
                **{key: round(form.found[level] / form.sought, 5) for level, key in LEVELS.items()},
                "match_interval": wilson(form.found[BLOCK_SCORE], form.sought),
                "look_interval": wilson(form.found[PARTIAL_SCORE], form.sought),
                "hits": round(form.hits[PARTIAL_SCORE] / form.sought, 3),
                "hits_match": round(form.hits[BLOCK_SCORE] / form.sought, 3),
                "missed": sorted(form.missed)[:SHOWN],
            }
            for name, form in sorted(forms.items())
        }
    }


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="./run bench listed_forms",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--data", type=Path, default=matching_data.default_folder())
    parser.add_argument("--parties", type=int, default=300, help="of each kind")
    parser.add_argument("--quick", action="store_true", help="a few parties of each kind")
    parser.add_argument("--show", action="store_true", help="print every party that is missed")
    parser.add_argument("--json", type=Path, metavar="OUT", help="write the figures there too")
    options = parser.parse_args()
    for needed in (matching_data.OFFICIAL, matching_data.UNITED_NATIONS):
        if not (options.data / needed).exists():
            parser.error(f"no {needed} in {options.data}: set SHARED_DATA or give --data")
    if options.quick:
        options.parties = 6
    return options


if __name__ == "__main__":
    sys.exit(main())
