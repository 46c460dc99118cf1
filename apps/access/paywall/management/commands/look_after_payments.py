"""manage.py look_after_payments: run the payment jobs once, where no workers run them."""

from typing import Any

from django.core.management.base import BaseCommand

from apps.access.paywall import tasks
from apps.access.paywall.models import PaymentClaim, State
from apps.platform.common.clock import now
from apps.platform.jobs.job_queue import RetryLater

OPEN = (State.SETTLING, State.UNKNOWN)


class Command(BaseCommand):
    help = "Resolve interrupted payments, end sessions and delete old answers."

    def handle(self, *args: Any, **options: Any) -> None:
        moment = now()
        tasks.sweep_payments("", moment)
        # the sweep only plans jobs; without workers nobody would run them
        payment_claims = PaymentClaim.objects.filter(state__in=OPEN, lease_until__lte=moment)
        for pk in payment_claims.order_by("pk").values_list("pk", flat=True)[: tasks.AT_ONCE]:
            try:
                tasks.reconcile_payment(str(pk), moment)
            except RetryLater:  # the outcome is not known yet: the next run asks again
                continue
        left = PaymentClaim.objects.filter(state__in=OPEN).count()
        self.stdout.write(f"Payments whose outcome is not known yet: {left}.")
