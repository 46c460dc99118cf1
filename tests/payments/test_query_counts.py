"""How many statements the way of one payment takes: what is added there is added to each."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.payments.payments.models import Payment
from apps.platform.jobs import job_queue
from apps.platform.jobs.models import Job, JobState
from tests.payments.conftest import wallet

pytestmark = pytest.mark.django_db(transaction=True)
# from its claim to its end, with a look for payments of others that wait, a callback, a record of
# the travel rule to come, two parties that bear a name, and two looks (one for each index) at
# earlier payments of its sender or to its payee
MOST = 47


def test_a_payment_takes_no_more_statements_than_it_did(
    send: Callable[..., Any], bank: Any
) -> None:
    counted = []
    for number in range(4):  # the first reads what is held from then on
        parties = {
            "creditor": {"name": "Blue Heron Limited", "walletAddress": wallet(700 + number)},
            "debtor": {"name": "Microsoft Corporation", "walletAddress": wallet(800 + number)},
        }
        send(tmsReference=f"S-{number}", callbackUrl="https://tms.example/hook", **parties)
        job = Job.objects.get(name="payments.advance", state=JobState.PENDING)
        with CaptureQueriesContext(connection) as queries:
            job_queue.run_job(job.pk)
        statements = [
            one["sql"] for one in queries if not one["sql"].startswith(("BEGIN", "COMMIT"))
        ]
        counted.append(statements)
    assert set(Payment.objects.values_list("state", flat=True)) == {"SETTLED"}
    # what is held is looked at anew after a second, and one may end within any payment
    fewest = min(counted[1:], key=len)
    assert len(fewest) <= MOST, "\n".join(one[:120] for one in fewest)
    assert not any("SAVEPOINT" in one for one in fewest)
