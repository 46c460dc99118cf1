"""manage.py look_after_payments: what the jobs of payments do, once, where no workers run them."""

from typing import Any

from django.core.management.base import BaseCommand

from apps.access.paywall import tasks
from apps.access.paywall.models import PaymentClaim, State
from apps.platform.common.clock import now
from apps.platform.jobs.job_queue import RetryLater

OPEN = (State.SETTLING, State.UNKNOWN)


class Command(BaseCommand):
    help = "Ask what became of payments that were cut off, end sessions, forget old answers."

    def handle(self, *args: Any, **options: Any) -> None:
        moment = now()
        tasks.sweep_payments("", moment)
        payment_claims = PaymentClaim.objects.filter(state__in=OPEN, lease_until__lte=moment)
        for pk in payment_claims.order_by("pk").values_list("pk", flat=True)[: tasks.AT_ONCE]:
            try:
                tasks.reconcile_payment(str(pk), moment)
            except RetryLater:  # nobody can say yet: the next run asks
                continue
        left = PaymentClaim.objects.filter(state__in=OPEN).count()
        self.stdout.write(f"Payments of which nobody knows yet how they ended: {left}.")
