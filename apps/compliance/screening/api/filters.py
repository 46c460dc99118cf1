"""Filters of screening's lists."""

from django_filters import CharFilter, IsoDateTimeFilter

from apps.compliance.screening.models.joined_rule_names import ContainsRuleName
from apps.compliance.screening.models.screens import ScreenQuerySet
from apps.platform.api.filters import QueryFilterSet


class ScreenFilter(QueryFilterSet):
    """Screens by decision, reference and time: from the start up to, but not including, the end."""

    decision = CharFilter("decision")
    # a reference is returned unchanged, so spaces around it are part of it
    reference = CharFilter(method="by_reference", strip=False)
    screened_from = IsoDateTimeFilter("recorded_at", "gte")
    screened_until = IsoDateTimeFilter("recorded_at", "lt")

    def by_reference(self, rows: ScreenQuerySet, name: str, value: str) -> ScreenQuerySet:
        """Return the caller's screens of a reference of theirs."""
        # references are stored as digests that include the owner: another tenant's cannot match
        return rows.referred(owner=self.request.user.ref, reference=value)


class DeskScreenFilter(ScreenFilter):
    """The screens of the desk: of all clients or one, by rule, and sample data or live."""

    owner = CharFilter("owner")
    rule = CharFilter(method="by_rule")
    sample = CharFilter(method="by_sample")

    def by_rule(self, rows: ScreenQuerySet, name: str, value: str) -> ScreenQuerySet:
        """Return the screens that a rule decided about."""
        return rows.filter(ContainsRuleName("rules", (value,)))

    def by_sample(self, rows: ScreenQuerySet, name: str, value: str) -> ScreenQuerySet:
        """Return the screens of sample data, or the live ones."""
        return rows.filter(sample=value == "yes")
