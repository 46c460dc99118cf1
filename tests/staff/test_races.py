"""Proofs that come at the same moment: threads and transactions as in life."""

import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection

from apps.access.keys import failed_sign_ins
from apps.access.keys.rate_limits import RateLimited
from apps.backoffice.staff import second_factor_codes
from apps.backoffice.staff.models import Factor
from tests.staff.people import Clock, code_of, staff, with_app

pytestmark = pytest.mark.django_db(transaction=True)


def at_once(count: int, work: Callable[[], Any]) -> list[Any]:
    """Do something so many times in threads that start together."""
    gate, found = threading.Barrier(count), [None] * count

    def run(number: int) -> None:
        gate.wait(10)
        try:
            found[number] = work()
        except RateLimited as error:
            found[number] = error
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(n,)) for n in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    return found


def test_of_one_code_that_is_typed_four_times_at_once_one_counts() -> None:
    moment, user = Clock().moment, staff()
    secret, recovery = with_app(user, moment)
    for code in (code_of(secret, moment), recovery[0]):
        results = at_once(
            4, lambda code=code: second_factor_codes.redeem_code(user=user, code=code, now=moment)
        )
        assert len([one for one in results if one is not None]) == 1
    assert Factor.objects.filter(kind="RECOVERY").count() == 9


def test_of_fourteen_attempts_at_once_ten_are_let_through() -> None:
    moment = Clock().moment
    results = at_once(14, lambda: failed_sign_ins.count_attempt(subject="name olivia", now=moment))
    refused = [one for one in results if isinstance(one, RateLimited)]
    assert len(refused) == 4
