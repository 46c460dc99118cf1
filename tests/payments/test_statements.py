"""How many statements the way of one payment takes: what is added there is added to each."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.core import jobs
from apps.core.models import Job, JobState
from apps.payments.models import Payment
from tests.payments.conftest import wallet

pytestmark = pytest.mark.django_db(transaction=True)
MOST = 42  # from its claim to its end, with a callback, a record of the travel rule to come and two
# parties that bear a name


def test_a_payment_takes_no_more_statements_than_it_did(
    send: Callable[..., Any], bank: Any
) -> None:
    for number in range(2):  # the first reads what is held from then on
        parties = {
            "creditor": {"name": "Blue Heron Limited", "walletAddress": wallet(700 + number)},
            "debtor": {"name": "Microsoft Corporation", "walletAddress": wallet(800 + number)},
        }
        send(tmsReference=f"S-{number}", callbackUrl="https://tms.example/hook", **parties)
        job = Job.objects.get(name="payments.advance", state=JobState.PENDING)
        with CaptureQueriesContext(connection) as seen:
            jobs.run(job.pk)
    assert set(Payment.objects.values_list("state", flat=True)) == {"SETTLED"}
    said = [one["sql"] for one in seen if not one["sql"].startswith(("BEGIN", "COMMIT"))]
    assert len(said) <= MOST, "\n".join(one[:120] for one in said)
    assert not any("SAVEPOINT" in one for one in said)
