"""Listed names as payments write them, made by a tool beside the shared data if it is there."""

import csv
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

from apps.reference.watchlists import lookup
from apps.reference.watchlists.matching.index import MatchIndex
from apps.reference.watchlists.subjects import Subject
from benchmarks.matching_data import OFFICIAL

TOOL = Path("tools/name_forms.py")
TYPES = {"Person": "person", "Organization": "company", "Vessel": "vessel"}
Table = dict[str, tuple[int, float, float]]


def made(data: Path, out: Path) -> list[dict[str, str]] | None:
    """Return the rows that the tool beside the data folder makes; None where it is not held."""
    tool = data.parent / TOOL
    if not tool.exists():
        return None
    command = [sys.executable, str(tool), "make", str(data / OFFICIAL), str(out)]
    subprocess.run(command, check=True, capture_output=True)
    with out.open(encoding="utf-8", newline="") as source:
        return list(csv.DictReader(source))


def table(rows: list[dict[str, str]], index: MatchIndex, *, every: int) -> Table:
    """Return of each form how many were sought, and which share is found at 0.70 and at 0.45."""
    scores: dict[str, list[float]] = defaultdict(list)
    for row in rows[::every]:
        subject = Subject(name=row["name"], entity_type=TYPES.get(row["schema"], ""))
        hits = lookup.find_sanction_hits(index=index, subject=subject).hits
        scores[row["form"]].append(hits[0].score if hits else 0.0)
    return {
        form: (len(some), _share(some, 0.70), _share(some, 0.45)) for form, some in scores.items()
    }


def _share(scores: list[float], threshold: float) -> float:
    return sum(score >= threshold for score in scores) / len(scores)
