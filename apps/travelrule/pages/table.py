"""What the list finds as a spreadsheet: the columns that examiners sort by, streamed.

FFIEC BSA/AML Manual, Appendix O asks for transfers of a period "in an electronic spreadsheet or
database format"; who examines under an engagement takes the records of its scope, and no others.
"""

import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import chain
from typing import TYPE_CHECKING, Any

from django.db.models import QuerySet

from apps.core.clock import now as present
from apps.core.problems import DomainError
from apps.oversight.models import ExportEvent, Phase
from apps.travelrule.export.columns import cells_of, heading
from apps.travelrule.export.manifest import File
from apps.travelrule.export.reading import shown
from apps.travelrule.export.sheets import Cells, csv_lines, xlsx
from apps.travelrule.export.snapshot import snapshot
from apps.travelrule.models import TravelRecord

if TYPE_CHECKING:
    from django.contrib.auth.models import User

WHAT = "travel-table"
FORMS = ("xlsx", "csv")
PRESET = "ffiec"


class NoSuchForm(DomainError):
    """The table is not made in this form."""

    code, title = "invalid_form", "The table is made as XLSX or CSV"


@dataclass
class Table:
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
        """Yield its bytes from one snapshot; what left is on record when all has left."""
        whole, headed = File(self.name), heading(PRESET)
        with snapshot():
            if self.form == "xlsx":
                pieces = xlsx(headed, self._cells())
            else:
                pieces = csv_lines(chain([headed], self._cells()))
            for piece in pieces:
                yield whole.taken(piece)
        said = {"rows": self.made, "file": self.name, "sha256": whole.sha256}
        ExportEvent.write(payload=said, now=present(), phase=Phase.FINISHED, **self.columns)

    def _cells(self) -> Iterator[Cells]:
        cells = cells_of(PRESET)
        for batch in shown(self.rows.order_by("created_at", "pk")):
            for line in batch:
                self.made += 1
                yield cells(line)


def start(
    *, rows: QuerySet[TravelRecord], form: str, by: "User", about: dict[str, Any], now: datetime
) -> Table:
    """Record that a table is taken and return it; NoSuchForm (400) for a form that is none.

    `rows` are records that its reader may see, `about` is what the ledger keeps: filter, scope.
    """
    if form not in FORMS:
        raise NoSuchForm("Choose one of the two.")
    columns = {"export_id": uuid.uuid4(), "by": by, "what": WHAT}
    said = about | {"format": form, "preset": PRESET}
    ExportEvent.write(payload=said, now=now, phase=Phase.STARTED, **columns)
    return Table(rows, form, columns)
