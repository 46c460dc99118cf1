"""Record which personal data staff open."""

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from apps.backoffice.oversight.models import ReadEvent
from apps.backoffice.oversight.services.samples import SAR_PREFIX
from apps.backoffice.sar.models import SarRead

if TYPE_CHECKING:
    from django.contrib.auth.models import User


def _get_read_ledger(what: str) -> type[SarRead] | type[ReadEvent]:
    # reads of the SAR log disclose that it has entries: their ledger is as confidential as the log
    return SarRead if what.startswith(SAR_PREFIX) else ReadEvent


def record_reads(
    *, by: "User", what: str, refs: Sequence[str], now: datetime, address: str = "", query: str = ""
) -> None:
    """Record for each of `refs` that a user opened it, on a page that shows several."""
    model = _get_read_ledger(what)
    rows = [{"by": by, "what": what[:60], "ref": ref[:100]} for ref in refs]
    model.write_many(payload={"address": address, "query": query}, now=now, rows=rows)


def record_read(
    *, by: "User", what: str, ref: str, now: datetime, address: str = "", query: str = ""
) -> None:
    """Record that a user opened personal data: `what` is a model's label, `ref` its id."""
    model = _get_read_ledger(what)
    payload = {"address": address, "query": query}
    model.write(payload=payload, now=now, by=by, what=what[:60], ref=ref[:100])
