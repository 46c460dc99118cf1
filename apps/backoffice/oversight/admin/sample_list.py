"""The list of quality samples: its views, one page at a time, and the columns of each sample."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.db.models import Q

from apps.backoffice.oversight.models import Sample, SampleQuerySet
from apps.backoffice.review.selectors.recorded_decisions import Verdict, load_verdicts
from apps.platform.desk import list_pages

if TYPE_CHECKING:
    from django.contrib.auth.models import User

PEOPLE = ("case", "first_by", "second_by", "looked_by")
TITLES = {"mine": "For me", "waiting": "Waiting", "found": "Reviewed"}


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleQuery(list_pages.ListQuery):
    """The query of the address: a view; `after` is the id of the sample before the page."""

    view: str = "waiting"

    @classmethod
    def read_for(cls, query: Any, user: "User") -> "SampleQuery":
        """Read a query string; who takes second looks sees first what waits for them."""
        views = list_sample_views(user)
        view = query.get("view", "mine" if "mine" in views else "found")
        place = list_pages.parse_row_number_place(query.get("after", ""))
        return cls(view=view if view in views else "waiting", after=place)

    def samples(self, user: "User") -> SampleQuerySet:
        """Return the samples of the view in its order, behind the one that the address names."""
        sample_rows = select_samples(self.view, user)
        last = Sample.objects.filter(pk=int(self.after)).first() if self.after else None
        if last is None:
            return sample_rows
        if self.view == "found":
            # reviewed samples have the first; the fallback is for one that the address names by
            # hand
            at = last.looked_at or last.sampled_at
            return sample_rows.filter(Q(looked_at__lt=at) | Q(looked_at=at, pk__lt=last.pk))
        return sample_rows.filter(Q(month__gt=last.month) | Q(month=last.month, pk__gt=last.pk))


def list_sample_views(user: "User") -> list[str]:
    """Return the views that a reader has: only who takes second looks has some of their own."""
    return [title for title in TITLES if title != "mine" or user.has_perm("oversight.look_sample")]


def select_samples(view: str, user: "User") -> SampleQuerySet:
    """Return the samples of a view: waiting ones by month, reviewed ones the newest first."""
    samples: SampleQuerySet = Sample.objects.all()
    if view == "mine":
        return samples.open_to(user)
    if view == "found":
        return samples.exclude(looked_by=None).order_by("-looked_at", "-pk")
    return samples.waiting().order_by("month", "pk")


def build_sample_page(query: SampleQuery, user: "User") -> list_pages.ListPage:
    """Build one page: reviewed samples come with what is recorded of their case."""
    # never of a waiting one: its reader may still judge it blind
    ordered = query.samples(user).select_related(*PEOPLE).defer("case__evidence")
    samples, last = list_pages.take_page(ordered)
    verdicts = load_verdicts([sample.case_id for sample in samples if sample.looked_by_id])
    rows = [(sample, verdicts.get(sample.case_id, Verdict())) for sample in samples]
    return list_pages.build_list_page(rows, last)
