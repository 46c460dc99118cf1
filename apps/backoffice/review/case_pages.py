"""Pages of cases and of the records that they are about, each as the other leads to it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.db import models
from django.urls import reverse

from apps.backoffice.review.models import Case
from apps.backoffice.review.selectors.recorded_decisions import Verdict, load_verdicts

if TYPE_CHECKING:
    from django.contrib.auth.models import User


def _describe_verdict(verdict: Verdict) -> str:
    return verdict.done or "Not decided yet"


def list_case_pages(cases: "models.QuerySet[Case]", user: "User") -> list[tuple[str, str]]:
    """Return title and address of the first of some cases, for who may see cases."""
    pk = cases.values_list("pk", flat=True).first() if user.has_perm("review.view_case") else None
    return [(f"Case {pk}", reverse("admin:review_case_change", args=[pk]))] if pk else []


def list_case_outcomes(
    cases: "models.QuerySet[Case]",
    user: "User",
    describe: Callable[[Verdict], str] = _describe_verdict,
) -> list[tuple[str, str]]:
    """Return in words what became of the first of some cases, for who may see cases."""
    pk = cases.values_list("pk", flat=True).first() if user.has_perm("review.view_case") else None
    return [(f"Case {pk}", describe(load_verdicts([pk]).get(pk, Verdict())))] if pk else []


@dataclass(frozen=True, kw_only=True)
class CaseRecord:
    """The record that cases of a kind are about.

    `find` returns it by the reference of its case, `outcome` in words what became of it.
    """

    kind: str
    model: type[models.Model]
    name: str
    find: Callable[[str], Any]
    outcome: Callable[[Any], tuple[str, str]]

    def find_page(self, user: "User", ref: str) -> tuple[str, str] | None:
        """Return the page of the record that a case is about, for who may see such records."""
        record = self._find_for(user, ref)
        return (f"Its {self.name}", self.address(record)) if record else None

    def list_pages(self, ref: str, user: "User") -> list[tuple[str, str]]:
        """Return title and address of the pages linked from an entry that a user may open."""
        record = self._find_for(user, ref)
        pages = [(f"The {self.name}", self.address(record))] if record else []
        return pages + list_case_pages(Case.objects.filter(kind=self.kind, ref=ref), user)

    def describe_outcome(self, ref: str, user: "User") -> list[tuple[str, str]]:
        """Return in words what became of the record and of its case."""
        record = self._find_for(user, ref)
        outcomes = [self.outcome(record)] if record else []
        return outcomes + list_case_outcomes(Case.objects.filter(kind=self.kind, ref=ref), user)

    def address(self, record: models.Model) -> str:
        """Return the address of the page of a record."""
        opts = self.model._meta
        return reverse(f"admin:{opts.app_label}_{opts.model_name}_change", args=[record.pk])

    def _find_for(self, user: "User", ref: str) -> Any:
        opts = self.model._meta
        may = user.has_perm(f"{opts.app_label}.view_{opts.model_name}")
        return self.find(ref) if may else None
