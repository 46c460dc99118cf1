"""manage.py look_after_payments: what the jobs of payments do, once, where no workers run them."""

from typing import Any

from django.core.management.base import BaseCommand

from apps.core.clock import now
from apps.core.jobs import Again
from apps.paywall import jobs
from apps.paywall.models import PaymentClaim, State

OPEN = (State.SETTLING, State.UNKNOWN)


class Command(BaseCommand):
    help = "Ask what became of payments that were cut off, end sessions, forget old answers."

    def handle(self, *args: Any, **options: Any) -> None:
        moment = now()
        jobs.sweep("", moment)
        found = PaymentClaim.objects.filter(state__in=OPEN, lease_until__lte=moment)
        for pk in found.order_by("pk").values_list("pk", flat=True)[: jobs.AT_ONCE]:
            try:
                jobs.reconcile(str(pk), moment)
            except Again:  # nobody can say yet: the next run asks
                continue
        left = PaymentClaim.objects.filter(state__in=OPEN).count()
        self.stdout.write(f"Payments of which nobody knows yet how they ended: {left}.")
