"""Rows with the longest names that the desk can hold, without a blank to break them at."""

from typing import Any

from django.contrib.auth.models import Group

from apps.access.keys.models import Account, ApiKey, KeyKind, issue_api_key
from apps.backoffice.oversight.models import ReadEvent, Sample
from apps.backoffice.sar.models import SarEntry
from apps.compliance.screening.models import Screen
from apps.platform.jobs.models import Job, JobAttempt, JobState
from apps.platform.upstreams.models import UpstreamState
from apps.reference.lei.models import GleifFile, LeiRecord
from apps.reference.watchlists.models import EntityState, ListVersion, Party, Source, SourceChange
from apps.reference.watchlists.services import source_changes
from tests.review.people import NOON, OFFICER, case, person

LONG = "Unbreakable" * 18 + "It"  # 200 characters


def crowd(things: dict[str, Any]) -> None:
    """Give what the pages of `things` show the longest names, and put more beside it."""
    _lists(things)
    _clients(things)
    _jobs(things)
    _cases(things)
    _people(things)
    _reads(things)


def _reads(things: dict[str, Any]) -> None:
    """Fill two pages of the log of who read what: it then has links to turn them."""
    reader = person("reader", OFFICER)
    rows = [{"by": reader, "what": "review.case", "ref": str(number)} for number in range(120)]
    ReadEvent.write_many(payload={"address": "/"}, now=NOON, rows=rows)


def _lists(things: dict[str, Any]) -> None:
    source = Source.objects.get(pk=things["watchlists/source"])
    source.title, source.last_error, source.licence = LONG, LONG, LONG
    source.live = ListVersion.objects.get(source=source)
    source.save()
    ListVersion.objects.update(
        report={"error": LONG, "added": [{"id": LONG, "name": LONG}], "notes": [LONG]},
        files=[{"name": LONG, "size": 1}], total=10_000_000,
    )  # fmt: skip
    SourceChange.objects.update(reason=LONG)
    source_changes.propose_source_change(
        source=source, field="enabled", after=False, reason=LONG,
        by=person("p" * 150, "Operator"), now=NOON,
    )  # fmt: skip
    named = {"names": [{"full": LONG}]}
    EntityState.objects.create(
        source=source, entity_id=LONG, digest="0" * 64, data=named, first_sequence=1
    )
    seen = {"first_seen": NOON, "last_seen": NOON, "keys": LONG, "reference": LONG}
    Party.objects.create(digest="1" * 64, kind="screened", schema="Company", name=LONG, **seen)
    UpstreamState.objects.update(last_error=LONG)
    file = GleifFile.objects.get(pk=things["lei/gleiffile"])
    file.name, file.note, file.state, file.live_at = LONG, LONG, "LIVE", NOON
    file.save()
    LeiRecord.objects.create(
        lei="529900T8BM49AURSDO55", legal_name=LONG, name_key=LONG, file=file,
        registration_status="ISSUED", fetched_at=NOON,
    )  # fmt: skip


def _clients(things: dict[str, Any]) -> None:
    longest = Account._meta.get_field("name").max_length or 200
    Account.objects.filter(pk=things["access/account"]).update(name=LONG[:longest])
    longest = ApiKey._meta.get_field("label").max_length or 100
    account = Account.objects.get(pk=things["access/account"])
    issue_api_key(account=account, kind=KeyKind.DATA, now=NOON, label=LONG[:longest])


def _jobs(things: dict[str, Any]) -> None:
    broken = Job.objects.get(pk=things["core/job"])
    Job.objects.filter(pk=broken.pk).update(key=LONG[:100], last_error=LONG * 4)
    JobAttempt.objects.create(job=broken, number=1, started_at=NOON, error=LONG)
    Job.objects.create(
        name=LONG[:60], key=LONG[:100], state=JobState.FAILED, eta=NOON, created_at=NOON
    )


def _cases(things: dict[str, Any]) -> None:
    said = {"party": LONG, "title": LONG, "reference": LONG, "tenant": LONG}
    fields = {field.name for field in type(case("kept"))._meta.get_fields()}
    given = {name: value for name, value in said.items() if name in fields}
    case("long", **given)
    type(case("other")).objects.filter(
        pk__in=[things["review/case"], Sample.objects.get(pk=things["oversight/sample"]).case_id]
    ).update(**given)
    payload = {"party": LONG, "owner": "account:1", "riskScore": 96, "sanctions": True}
    # of a record that has both its pages: the matter leads to its screen and its case
    ref = str(Screen.objects.get(pk=things["screening/screen"]).screen_id)
    case(ref)
    things["sar/sarentry"] = SarEntry.write(
        payload=payload | {"reasons": [LONG], "rules": []}, now=NOON, kind="screen", ref=ref
    ).pk
    Screen.write(
        payload={"request": {"name": LONG}}, now=NOON, screen_id="0" * 31 + "8", owner="account:1",
        decision="FLAGGED", risk_score=61, rules="", rules_version="1", lists="", sample=True,
    )  # fmt: skip


def _people(things: dict[str, Any]) -> None:
    user = person("u" * 150, OFFICER)
    user.first_name, user.last_name, user.email = LONG[:150], LONG[:150], f"{LONG[:60]}@a.example"
    user.save()
    Group.objects.create(name=LONG[:150])
