"""Quality samples held against the second looks recorded of them, and against their cases.

Whoever can write the database can say in a sample that an officer agreed, or make it another
officer's to look at, but not record that. What nobody looked at yet and is gone leaves no trace.
"""

from collections.abc import Iterator, Sequence
from datetime import UTC
from typing import Any

from apps.backoffice.oversight.models import LookVerdict, Sample, SecondLook
from apps.backoffice.review.models import Case
from apps.platform.ledger.verification.projections import Projection, find_differences

Looks = Sequence[SecondLook]


def find_sample_faults(sample: Sample, looks: Looks) -> Iterator[str]:
    """Yield where a sample differs from its case and its looks, the oldest first, in words."""
    recorded = (
        _expect_case_of_looks(looks) | _expect_from_case(sample.case) | _expect_from_looks(looks)
    )
    yield from find_differences({name: getattr(sample, name) for name in recorded}, recorded)


def _expect_from_case(case: Case) -> dict[str, Any]:
    """Return what a sample repeats of its case, whose own events say it (`decisions`)."""
    decided = case.decided_at
    return {
        "risk": case.risk,
        "month": f"{decided.astimezone(UTC):%Y-%m}" if decided else "",
        "first_by_id": case.first_by_id,
        "second_by_id": case.second_by_id,
    }


def _expect_from_looks(looks: Looks) -> dict[str, Any]:
    """Return what the look that was taken makes of a sample; a purged payload says no more."""
    taken = next((look for look in looks if look.verdict != LookVerdict.BLIND), None)
    if taken is None:
        return {"looked_by_id": None, "looked_at": None, "verdict": "", "agreement": ""}
    found = {
        "looked_by_id": taken.by_id,
        "looked_at": taken.recorded_at,
        "verdict": taken.verdict,
    }
    return found if taken.purged else found | {"agreement": taken.data.get("agreement", "")}


def _expect_case_of_looks(looks: Looks) -> dict[str, Any]:
    """Return of which case the looks say that they are; those of earlier releases do not say it."""
    found = next((look.data["case"] for look in looks if "case" in look.data), None)
    return {} if found is None else {"case_id": found}


PROJECTION = Projection(
    name="sample",
    rows=Sample.objects.select_related("case").defer("case__evidence"),
    records=SecondLook.objects.all(),
    of="sample_id",
    faults=find_sample_faults,
    gone="a look at it is recorded, and the sample is gone",
)
verify_samples = PROJECTION.compare
