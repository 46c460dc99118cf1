"""The records of a filtered list as a spreadsheet with the columns that examiners sort by.

FFIEC BSA/AML Manual, Appendix O asks for transfers of a period "in an electronic spreadsheet or
database format". An examiner gets the records in scope of the engagement, and no others.
"""

import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import chain
from typing import TYPE_CHECKING, Any

from django.db.models import QuerySet

from apps.backoffice.oversight.models import ExportEvent, Phase
from apps.payments.travelrule.export.columns import build_heading, make_row_builder
from apps.payments.travelrule.export.lines import read_table_lines
from apps.payments.travelrule.export.manifest import ExportFile
from apps.payments.travelrule.export.snapshot import open_snapshot
from apps.payments.travelrule.models import TravelRecord
from apps.platform.common import clock
from apps.platform.common.problems import DomainError
from apps.platform.common.spreadsheets import Cells, stream_csv, stream_xlsx

if TYPE_CHECKING:
    from django.contrib.auth.models import User

TABLE_NAME = "travel-table"
TABLE_FORMATS = ("xlsx", "csv")
PRESET = "ffiec"


class UnknownTableFormat(DomainError):
    """The table is not made in this form."""

    code, title = "invalid_form", "The table is made as XLSX or CSV"


@dataclass
class RecordTable:
    """A table while it is made; `columns` are those of its record in the ledger of exports."""

    rows: QuerySet[TravelRecord]
    form: str
    columns: dict[str, Any]
    made: int = 0

    @property
    def name(self) -> str:
        """What its file is called."""
        return f"travel-records-{self.columns['export_id']}.{self.form}"

    def stream(self) -> Iterator[bytes]:
        """Yield its bytes from one snapshot; record the export as finished after the last."""
        whole, headed = ExportFile(self.name), build_heading(PRESET)
        with open_snapshot():
            if self.form == "xlsx":
                pieces = stream_xlsx(headed, self._cells())
            else:
                pieces = stream_csv(chain([headed], self._cells()))
            for piece in pieces:
                yield whole.taken(piece)
        # not in a `finally`: a download that was cut off stays on record as started alone
        summary = {"rows": self.made, "file": self.name, "sha256": whole.sha256}
        ExportEvent.write(payload=summary, now=clock.now(), phase=Phase.FINISHED, **self.columns)

    def _cells(self) -> Iterator[Cells]:
        cells = make_row_builder(PRESET)
        for batch in read_table_lines(self.rows.order_by("created_at", "pk")):
            for line in batch:
                self.made += 1
                yield cells(line)


def start_table(
    *, rows: QuerySet[TravelRecord], form: str, by: "User", about: dict[str, Any], now: datetime
) -> RecordTable:
    """Record the start of a table's export and return it; UnknownTableFormat (400).

    `rows` are records that its reader may see, `about` what the ledger keeps: filter and scope.
    """
    if form not in TABLE_FORMATS:
        raise UnknownTableFormat("Choose one of the two.")
    columns = {"export_id": uuid.uuid4(), "by": by, "what": TABLE_NAME}
    summary = about | {"format": form, "preset": PRESET}
    ExportEvent.write(payload=summary, now=now, phase=Phase.STARTED, **columns)
    return RecordTable(rows, form, columns)
