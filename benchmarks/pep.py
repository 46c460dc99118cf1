"""Whom the PEP screen finds and whom it troubles: `./run bench pep [--quick] [--json OUT]`."""

import argparse
import json
import os
import tempfile
from collections import defaultdict
from datetime import date
from pathlib import Path

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

import django

django.setup()

from apps.compliance.screening.pep.selectors import find_office_holders  # noqa: E402
from apps.compliance.screening.rules import pep as rules  # noqa: E402
from apps.reference.watchlists.matching.index import MatchIndex, build_index  # noqa: E402
from benchmarks import pep_data  # noqa: E402
from benchmarks.matching_data import default_folder  # noqa: E402

DAY = date(2026, 11, 20)
WANTED = "wanted: hits at most 4 %, enhanced due diligence at most 1.5 %, found at least 95 %"


def main() -> None:
    """Index the office holders, then print false alarms and recall."""
    options = _options()
    with tempfile.TemporaryDirectory() as folder:
        directory = Path(folder) / "pep"
        build_index(entries=pep_data.entries(options.data), directory=directory)
        index = MatchIndex.open(directory, profile="pep")
        print(f"{len(index):,} office holders; {WANTED}", flush=True)
        names = pep_data.innocent(options.data, at_most=options.names)
        found = {"innocent": false_alarms(index, names, options.show)}
        found["holders"] = recall(index, options)
    if options.json:
        options.json.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="./run bench pep", description=__doc__)
    parser.add_argument("--data", type=Path, default=default_folder())
    parser.add_argument("--names", type=int, default=4000, help="innocent names")
    parser.add_argument("--holders", type=int, default=1000, help="office holders sought")
    parser.add_argument("--quick", action="store_true", help="a tenth of both")
    parser.add_argument("--show", action="store_true", help="print who hits, and who is missed")
    parser.add_argument("--json", type=Path, metavar="OUT", help="write the figures there too")
    options = parser.parse_args()
    if not (options.data / pep_data.HOLDERS).exists():
        parser.error(f"no {pep_data.HOLDERS} in {options.data}: set SHARED_DATA or give --data")
    if options.quick:
        options.names, options.holders = options.names // 10, options.holders // 10
    return options


def false_alarms(index: MatchIndex, names: list[str], show: bool) -> dict[str, float]:
    """Print and return which share of innocent names hits, and is due more diligence."""
    hits = due = 0
    for name in names:
        office_holders = find_office_holders(name=name, index=index, day=DAY)
        level = rules.highest_level([office_holder.rule.level for office_holder in office_holders])
        hits += bool(office_holders)
        due += rules.is_edd_required(level)
        if show and office_holders:
            best = office_holders[0]
            print(f"  {best.fact.score:3d} {level:6s} {name}  ~  {best.name}")
    print(f"innocent names: {len(names):,}; hits {hits / len(names):.2%}", end="; ")
    print(f"with enhanced due diligence {due / len(names):.2%}", flush=True)
    return {"names": len(names), "hits": hits / len(names), "due": due / len(names)}


def recall(index: MatchIndex, options: argparse.Namespace) -> dict[str, dict[str, float]]:
    """Print and return how often a holder is found under his own name as others write it."""
    found: dict[str, list[tuple[bool, bool]]] = defaultdict(list)
    for kind, name, ref in pep_data.mutated(options.data, at_most=options.holders):
        hits = [
            office_holder
            for office_holder in find_office_holders(name=name, index=index, day=DAY)
            if office_holder.ref == ref
        ]
        due = any(rules.is_edd_required(hit.rule.level) for hit in hits)
        found[kind].append((bool(hits), due))
        if options.show and not hits:
            print(f"  missed ({kind}): {name}")
    found["of all"] = [one for kind in found.values() for one in kind]
    print(f"{'own names':22s} {'sought':>6s} {'found':>8s} {'diligence due':>14s}")
    told = {}
    for kind, seen in found.items():
        shares = [sum(one[place] for one in seen) / len(seen) for place in (0, 1)]
        told[kind] = {"sought": len(seen), "found": shares[0], "due": shares[1]}
        print(f"{kind:22s} {len(seen):6,} {shares[0]:8.2%} {shares[1]:14.2%}")
    return told


if __name__ == "__main__":
    main()
