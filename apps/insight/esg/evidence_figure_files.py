"""Read figures of ESG evidence from CSV: the bundled sample, and files of an operator."""

import csv
from collections.abc import Iterator
from datetime import date
from decimal import Decimal, InvalidOperation
from pathlib import Path

from apps.insight.esg.evidence_figures import Figure
from apps.insight.esg.rules.measures import MEASURES_BY_KEY
from apps.platform.api.shapes import COUNTRIES
from apps.platform.common.lei import is_valid_lei

SAMPLE_FILE = Path(__file__).resolve().parent / "sample" / "evidence.csv"
REQUIRED_COLUMNS = ("subject", "key", "value", "period", "period_end", "as_of", "url")
# characters, as the columns of models/evidence.py allow
_LONGEST_SOURCE, _LONGEST_PERIOD, _LONGEST_URL = 20, 20, 400


class MalformedEvidenceFile(ValueError):
    """A file of figures breaks its format; nothing of it is used."""


def read_evidence_file(*, path: Path, source: str) -> list[Figure]:
    """Return the figures of a file with REQUIRED_COLUMNS and, optionally, `estimated` (yes).

    `source` names the publisher, in at most 20 characters. Raises MalformedEvidenceFile with the
    line that is wrong.
    """
    if not source or len(source) > _LONGEST_SOURCE:
        raise MalformedEvidenceFile("a source name has at most 20 characters")
    # utf-8-sig: spreadsheets write a byte order mark, which would spoil the first column name
    with path.open(encoding="utf-8-sig", newline="") as stream:
        return list(_parse_rows(csv.DictReader(stream, strict=True), source))


def _parse_rows(reader: "csv.DictReader[str]", source: str) -> Iterator[Figure]:
    if missing := [name for name in REQUIRED_COLUMNS if name not in (reader.fieldnames or ())]:
        raise MalformedEvidenceFile(f"columns are missing: {', '.join(missing)}")
    for row in reader:
        try:
            # DictReader gives None for cells that a short line lacks, and the key None to surplus
            # cells
            yield _parse_row({name: value or "" for name, value in row.items() if name}, source)
        except (ValueError, InvalidOperation) as error:
            raise MalformedEvidenceFile(f"line {reader.line_num}: {error}") from error


def _parse_row(row: dict[str, str], source: str) -> Figure:
    subject, key = row["subject"].strip().upper(), row["key"].strip()
    if key not in MEASURES_BY_KEY:
        raise ValueError(f"{key[:40]!r} is not a measure")
    # measures of properties have no subject here: only callers supply them, with a report
    known = {"entity": is_valid_lei(subject), "country": subject in COUNTRIES}
    if not known.get(MEASURES_BY_KEY[key].of):
        raise ValueError(f"{subject[:40]!r} is not a valid subject for {key}")
    if len(row["period"]) > _LONGEST_PERIOD or len(row["url"]) > _LONGEST_URL:
        raise ValueError("period or url is too long")
    return Figure(
        subject=subject,
        key=key,
        value=Decimal(row["value"].strip()),
        period=row["period"].strip(),
        period_end=date.fromisoformat(row["period_end"].strip()),
        source=source,
        url=row["url"].strip(),
        as_of=date.fromisoformat(row["as_of"].strip()),
        estimated=row.get("estimated", "").strip().lower() == "yes",
    )
