"""Create SAR entries, and record their steps: one ledger event for each."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db import IntegrityError, transaction

from apps.backoffice.sar import rules
from apps.backoffice.sar.date_formats import local_date
from apps.backoffice.sar.entry_facts import PaymentFacts
from apps.backoffice.sar.models import FilingEvent, SarEntry, SarMatter
from apps.backoffice.sar.record_types import RECORD_TYPES
from apps.platform.common.clock import format_utc

if TYPE_CHECKING:
    from django.contrib.auth.models import User


@dataclass(frozen=True, slots=True, kw_only=True)
class OfficerReferral:
    """Why an officer brings an outcome into the log: their sentence, and a decision's reason.

    `matched`: they found the party to be a sanctioned one that OFAC may have listed.
    """

    by: "User"
    text: str
    reason: str = ""
    matched: bool = False

    @property
    def action(self) -> str:
        """Return the step that it is on an existing matter."""
        return "MATCHED" if self.matched else "REFERRED"

    def kept(self) -> dict[str, Any]:
        """Return what the payload keeps of it."""
        who = self.by.get_username()
        return {"by": who, "reason": self.reason, "matched": self.matched}


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockedOutcome:
    """A blocked outcome in the log: its record, its party and its reasons.

    `reasons` are sentences, `rules` the references that held, in the same order. `sanctions`: a
    sanctioned party was matched, so that OFAC may be owed a report; `lists` are the short names of
    those that it was matched on (sanctions_authorities.py). `risk_score` is 0 to 100; `facts` are
    what an officer decides from. What an officer brought here says so in `heard`, and in
    `opened_at` when its case was opened. `screened_at` is when the payment was screened: without it
    the record of the outcome is asked (apps/backoffice/sar/record_types.py).
    """

    kind: str
    ref: str
    owner: str
    party: str
    lei: str = ""
    reasons: Sequence[str] = ()
    rules: Sequence[str] = ()
    sanctions: bool
    lists: Sequence[str] = ()
    risk_score: int
    facts: PaymentFacts = field(default_factory=PaymentFacts)
    heard: OfficerReferral | None = None
    opened_at: datetime | None = None
    screened_at: datetime | None = None


def open_entry(*, blocked: BlockedOutcome, now: datetime) -> SarEntry:
    """Enter a blocked outcome into the log and start its clocks.

    Call it inside the domain's transaction: record and entry then exist together or not at all.
    """
    payload = {
        "party": blocked.party,
        "lei": blocked.lei,
        "reasons": list(blocked.reasons),
        "rules": list(blocked.rules),
        "owner": blocked.owner,
        "riskScore": blocked.risk_score,
        "sanctions": blocked.sanctions,
        "lists": list(blocked.lists),
        "zone": settings.DESK_TIME_ZONE,
        "facts": blocked.facts.recorded(),
    }
    if blocked.heard:
        payload["referred"] = blocked.heard.kept()
    if blocked.opened_at:
        payload["openedAt"] = format_utc(blocked.opened_at)
    if screened := blocked.screened_at or _load_screened_at(blocked):
        payload["screenedAt"] = format_utc(screened)
    entry: SarEntry = SarEntry.write(payload=payload, now=now, kind=blocked.kind, ref=blocked.ref)
    return entry


def _load_screened_at(blocked: BlockedOutcome) -> datetime | None:
    record_type = RECORD_TYPES.get(blocked.kind)
    return record_type.screened_at(blocked.ref) if record_type else None


@transaction.atomic
def enter_referral(*, blocked: BlockedOutcome, heard: OfficerReferral, now: datetime) -> SarEntry:
    """Enter an officer's referral into the log; for a record with an entry, as its step.

    The step reopens a settled matter, and a match starts the clock of the report to OFAC even if
    none was due before. No permission of the log is required.
    """
    same = SarEntry.objects.filter(kind=blocked.kind, ref=blocked.ref)
    sar_entry = same.first()
    if sar_entry is None:
        try:
            # a savepoint, so that the outer transaction survives the failed insert on PostgreSQL
            with transaction.atomic():
                return open_entry(blocked=replace(blocked, heard=heard), now=now)
        # the entry was created concurrently: this becomes a step of it
        except IntegrityError:
            sar_entry = same.get()
    _append_referral(sar_entry, heard, now)
    return sar_entry


def _append_referral(entry: SarEntry, officer_referral: OfficerReferral, now: datetime) -> None:
    """Append an officer's referral to a matter as its next step."""
    matter = SarMatter.objects.select_for_update().select_related("entry").get(pk=entry.pk)
    events = list(entry.filings.order_by("number"))
    # an identical referral by the same officer, as from a form that was sent twice
    if _is_last_referral(matter.entry, events, officer_referral):
        return
    step, today = rules.BY_ACTION[officer_referral.action], local_date(now, zone=matter.zone)
    steps = matter.steps
    # it cannot fail: the matter is locked since it was read
    matter.advance(matter=step.then(matter.after(events), today), action=step.action)
    payload = {
        "reference": "",
        "rationale": officer_referral.text.strip(),
        "reason": officer_referral.reason,
    }
    columns = {
        "entry": entry,
        "number": steps + 1,
        "action": step.action,
        "by": officer_referral.by,
    }
    FilingEvent.write(payload=payload, now=now, **columns)


def _is_last_referral(
    entry: SarEntry, events: Sequence[FilingEvent], officer_referral: OfficerReferral
) -> bool:
    if events:
        last = events[-1]
        text = last.data.get("rationale", "")
        referral = (last.action, last.by_id, text, last.data.get("reason", ""))
        return referral == (
            officer_referral.action,
            officer_referral.by.pk,
            officer_referral.text.strip(),
            officer_referral.reason,
        )
    # no step yet: the referral that created the entry is in its payload
    words = f"{officer_referral.by.get_username()}: {officer_referral.text.strip()}"
    recorded = entry.data.get("referred"), entry.data.get("reasons", [""])[-1:]
    return recorded == (officer_referral.kept(), [words])
