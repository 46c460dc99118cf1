"""Matters get their party, and the clock after a filing its 120 days.

All that decides is frozen here as it was that day: rules that change later change nothing.
"""

import hashlib
import json
import re
import unicodedata
from collections import defaultdict
from datetime import date, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

from django.db import migrations
from holidays import country_holidays

from apps.core.batches import chunks

BATCH = 500
APART = re.compile(r"[\W_]+")


def bring_on(apps, schema_editor):
    """Give matters their party and their clock, in two reads and one write for each batch."""
    matters = apps.get_model("sar", "SarMatter").objects
    filings = apps.get_model("sar", "FilingEvent").objects
    told = matters.select_related("entry").order_by("pk")
    for batch in chunks(told.iterator(BATCH), BATCH):
        recorded = defaultdict(list)
        ids = [matter.pk for matter in batch]
        for one in filings.filter(entry_id__in=ids).order_by("entry_id", "number"):
            recorded[one.entry_id].append(one)
        for matter in batch:
            bring_one(matter, recorded[matter.pk])
        matters.bulk_update(batch, ["party_key", "next_by", "next_clock"], batch_size=BATCH)


def bring_one(matter, events):
    """Set the party and the clock of one matter from its entry and its events, oldest first."""
    entry, zone = matter.entry, ZoneInfo(matter.zone)
    if entry.payload:
        matter.party_key = party_key(json.loads(entry.payload), f"{entry.kind} {entry.ref}")
    stands = {"detected": entry.recorded_at.astimezone(zone).date(), "sanctions": matter.sanctions}
    for event in events:
        stands |= AFTER[event.action](stands, event.recorded_at.astimezone(zone).date())
    running = sorted(clock for clock in (rule(stands) for rule in CLOCKS) if clock)
    matter.next_by, matter.next_clock = running[0] if running else (None, "")


def party_key(data, record):
    """Return the digest of who a payload is about."""
    text = json.dumps(who(data, record), ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def who(data, record):
    """Return who a payload is about: an LEI or a name, of one client; else the record itself."""
    owner, party, lei = (str(data.get(name, "")) for name in ("owner", "party", "lei"))
    name = " ".join(sorted(APART.split(unicodedata.normalize("NFKC", party.casefold())))).strip()
    if lei:
        return [owner, "lei", lei.upper()]
    return [owner, "name", name] if name else ["record", record]


# --- what each step changed ------------------------------------------------------------


def anew(stands, day):
    """Open what was settled again."""
    if not (stands.get("declined") or stands.get("ended")):
        return {}
    fresh = dict.fromkeys(("declined", "ended", "goes_on", "unknown"), False)
    return fresh | {"filed": None, "anew": day}


def matched(stands, day):
    """Start the clock of OFAC's report where none was due as far as was known."""
    found, ofac = anew(stands, day), stands.get("ofac", "")
    if stands["sanctions"] and ofac != "NONE":
        return found
    kept = {"ofac": "" if ofac == "NONE" else ofac}
    return found | {"sanctions": True, "matched": day} | kept


FILED = dict.fromkeys(("declined", "ended", "goes_on"), False)
AFTER = {
    "TO_FILE": lambda stands, day: {"declined": False},
    "NOT_FILED": lambda stands, day: {"declined": True},
    "NO_SUSPECT": lambda stands, day: {"unknown": True},
    "REFERRED": anew,
    "FILED": lambda stands, day: FILED | {"filed": day},
    "MATCHED": matched,
    "OFAC_BLOCKED": lambda stands, day: {"ofac": "BLOCKED"},
    "OFAC_REJECTED": lambda stands, day: {"ofac": "REJECTED"},
    "OFAC_NONE": lambda stands, day: {"ofac": "NONE"},
    "ANNUAL": lambda stands, day: {"annuals": stands.get("annuals", 0) + 1},
    "RELEASED": lambda stands, day: {"released": day},
    "CONTINUES": lambda stands, day: {"goes_on": True, "ended": False},
    "ENDED": lambda stands, day: {"ended": True, "goes_on": False},
}


# --- clocks: last day and name ----------------------------------------------------------


def file(stands):
    """30 days to file or to record why not; 60 while no suspect is known."""
    if stands.get("filed") or stands.get("declined"):
        return None
    days = 60 if stands.get("unknown") else 30
    return (stands.get("anew") or stands["detected"]) + timedelta(days=days), "SAR-1"


def go_on(stands):
    """120 days after a filing: a review, or a further filing where the activity goes on."""
    filed = stands.get("filed")
    if filed is None or (stands.get("ended") and not stands.get("goes_on")):
        return None
    return filed + timedelta(days=120), "SAR-3" if stands.get("goes_on") else "SAR-2"


def report(stands):
    """10 business days of the United States to report to OFAC."""
    if not stands["sanctions"] or stands.get("ofac"):
        return None
    day, left = stands.get("matched") or stands["detected"], 10
    while left:
        day += timedelta(days=1)
        left -= day.weekday() < 5 and day not in holidays_of(day.year)
    return day, "OFAC-1"


@lru_cache(maxsize=64)
def holidays_of(year):
    """Return the federal holidays of a year, as they are observed."""
    return frozenset(country_holidays("US", years=year))


def annual(stands):
    """30 September of the first year whose report is not made, while property is blocked."""
    if stands.get("ofac") != "BLOCKED":
        return None
    detected, released = stands["detected"], stands.get("released")
    first = detected.year + (detected > date(detected.year, 6, 30))
    year = first + stands.get("annuals", 0)
    if released and released <= date(year, 6, 30):
        return None
    return date(year, 9, 30), "OFAC-2"


CLOCKS = (file, go_on, report, annual)


class Migration(migrations.Migration):

    dependencies = [
        ('sar', '0006_filing_dates'),
    ]

    operations = [
        migrations.RunPython(bring_on, migrations.RunPython.noop),
    ]
