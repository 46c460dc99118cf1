"""The QuerySet of the review queue."""

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Self, TypeVar

from django.db import models
from django.db.models import Q

from apps.backoffice.review import case_types
from apps.backoffice.review.models.case_choices import CaseParty, Escalation, Status
from apps.backoffice.review.rules.case_keys import build_party_key

if TYPE_CHECKING:
    from django.contrib.auth.models import User


UNDECIDED = (Status.OPEN, Status.AWAITING_SECOND)


Row = TypeVar("Row", bound=models.Model, covariant=True)


class QueueQuerySet(models.QuerySet[Row]):
    """Reads of the queue."""

    def undecided(self) -> Self:
        """Return the cases that still need a decision; a duplicate goes with its main case."""
        return self.filter(status__in=UNDECIDED, merged_into=None)

    def awake(self, now: datetime) -> Self:
        """Leave out cases that are snoozed."""
        return self.filter(Q(snoozed_until=None) | Q(snoozed_until__lte=now))

    def due_first(self) -> Self:
        """Order by due time."""
        return self.order_by("due_at", "pk")

    def late(self, now: datetime) -> Self:
        """Return undecided cases past their due time."""
        return self.undecided().filter(due_at__lt=now)

    def mine(self, user: "User", now: datetime) -> Self:
        """Return undecided cases that a user holds."""
        return self.undecided().filter(claimed_by=user, claimed_until__gt=now)

    def free_for(self, user: "User", now: datetime) -> Self:
        """Return cases that no other officer holds."""
        return self.filter(Q(claimed_by=None) | Q(claimed_by=user) | Q(claimed_until__lte=now))

    def waiting_for(self, user: "User") -> Self:
        """Return cases that wait for a second officer and may have this one."""
        return self.filter(status=Status.AWAITING_SECOND).exclude(first_by=user)

    def open_to(self, user: "User", now: datetime) -> Self:
        """Return what a user should work on next: their own first, then what is due first."""
        workable = Q(status=Status.OPEN)
        if user.has_perm("review.approve_second"):
            workable |= Q(status=Status.AWAITING_SECOND) & ~Q(first_by=user)
        else:
            # only seniors work on what an officer escalated; an overdue case stays everybody's
            workable &= ~Q(escalation=Escalation.OFFICER)
        free = self.undecided().filter(workable).free_for(user, now).awake(now)
        return free.filter(Q(assigned_to=None) | Q(assigned_to=user)).due_first()

    def search(self, text: str) -> Self:
        """Return cases by words of the party's name, wallet, LEI or the caller's reference."""
        exact = text.strip().lower()
        condition = Q(wallet_key=exact) | Q(lei=exact.upper()) | Q(reference_key__startswith=exact)
        words = build_party_key(text).split()
        if words:
            named = Q()
            for word in words[:8]:
                named &= Q(party_key__contains=word)
            condition |= named
        return self.filter(condition) if exact else self

    def numbers(self, text: str, *, most: int) -> list[int]:
        """Return the numbers of the cases that a text finds, the newest first, at most so many.

        Three queries, each answered by one index alone: evidence may be long, and none of it is
        read.
        """
        exact, words = text.strip().lower(), build_party_key(text).split()
        if not exact:
            return []
        querysets = [
            self.filter(Q(wallet_key=exact) | Q(lei=exact.upper())),
            self.filter(reference_key__startswith=exact),
        ]
        if words:
            named = self
            for word in words[:8]:
                named = named.filter(party_key__contains=word)
            querysets.append(named)
        pks: set[int] = set()
        for matching in querysets:
            # unordered: an order would make SQLite read the rows instead of the index
            pks |= set(matching.order_by().values_list("pk", flat=True))
        return sorted(pks, reverse=True)[:most]

    def same_party(self, case: CaseParty) -> Self:
        """Return the other cases of a party: the same name, wallet, or LEI of its own."""
        return self.same_parties([case]).exclude(pk=case.pk).order_by("-opened_at", "-pk")

    def same_parties(self, cases: Sequence[CaseParty]) -> Self:
        """Return all cases of some parties, these among them."""
        condition = Q(pk__in=[])
        # an LEI that a rule found to be another's links its case to no other
        for ref in sorted(case_types.list_disowning_rules()):
            condition |= Q(rule_refs__contains=f"|{ref}|")
        return self.filter(
            _match_any_value("party_key", [case.party_key for case in cases])
            | _match_any_value("wallet_key", [case.wallet_key for case in cases])
            | (_match_any_value("lei", [case.own_lei for case in cases]) & ~condition)
        )


def _match_any_value(column: str, values: Sequence[str]) -> Q:
    sorted_values = sorted(set(filter(None, values)))
    return Q(**{f"{column}__in": sorted_values}) if sorted_values else Q(pk__in=[])
