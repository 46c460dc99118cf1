"""Verify quality samples against their recorded second looks and their cases.

An attacker who can write the database can make a sample say that an officer agreed, or assign it to
another officer, but cannot record that. A deleted sample that was not yet reviewed leaves no trace.
"""

from collections.abc import Iterator, Sequence
from datetime import UTC

from apps.backoffice.oversight.models import LookVerdict, Sample, SecondLook
from apps.platform.ledger.verification.projection_checks import Projection, find_differences

Looks = Sequence[SecondLook]


def find_sample_faults(sample: Sample, looks: Looks) -> Iterator[str]:
    """Yield where a sample differs from its case and its looks, the oldest first, in words."""
    # looks of earlier releases do not name their case
    recorded_case = next((look.data["case"] for look in looks if "case" in look.data), None)
    case_of_looks = {} if recorded_case is None else {"case_id": recorded_case}
    case = sample.case
    decided = case.decided_at
    from_case = {
        "risk": case.risk,
        "month": f"{decided.astimezone(UTC):%Y-%m}" if decided else "",
        "first_by_id": case.first_by_id,
        "second_by_id": case.second_by_id,
    }
    # the payload of a purged look no longer says whether it agreed
    taken = next((look for look in looks if look.verdict != LookVerdict.BLIND), None)
    from_looks: dict[str, object] = {
        "looked_by_id": taken.by_id if taken else None,
        "looked_at": taken.recorded_at if taken else None,
        "verdict": taken.verdict if taken else "",
    }
    if taken is None or not taken.purged:
        from_looks["agreement"] = taken.data.get("agreement", "") if taken else ""
    recorded = case_of_looks | from_case | from_looks
    yield from find_differences({name: getattr(sample, name) for name in recorded}, recorded)


PROJECTION = Projection(
    name="sample",
    rows=Sample.objects.select_related("case").defer("case__evidence"),
    records=SecondLook.objects.all(),
    of="sample_id",
    faults=find_sample_faults,
    gone="a look at it is recorded, and the sample is gone",
)
verify_samples = PROJECTION.compare
