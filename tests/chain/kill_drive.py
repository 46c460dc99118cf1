"""Watches a chain in processes that are killed at each write, and prints what stood, as JSON.

Run as a process with a folder of its own (VAR_DIR). For each act and each number a child looks at
the chain and is killed (SIGKILL) right before its write or commit of that number; then another
looks to the end. What stands then is told, with what stood in between.
"""

import json
import os
import signal
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import django

django.setup()

from django.core.management import call_command  # noqa: E402
from django.db import connection, connections  # noqa: E402

from apps.backoffice.review.models import Case  # noqa: E402
from apps.payments.chain import expected_transfers, tasks  # noqa: E402
from apps.payments.chain.assets import CHAINS  # noqa: E402
from apps.payments.chain.integrity import verify_orders  # noqa: E402
from apps.payments.chain.models import ChainEvent, Order  # noqa: E402
from apps.platform.jobs.models import Job  # noqa: E402
from tests.chain.fake_chain import FakeChain  # noqa: E402
from tests.chain.sample_orders import BASE, PAYEE, PAYER, wanted  # noqa: E402
from tests.conftest import NOON  # noqa: E402

CHAIN = CHAINS[BASE]
TOKEN = CHAIN.assets["USDC"].lower()
MOST = 200  # writes of one look: more is a mistake
WRITES = ("INSERT", "UPDATE", "DELETE")


def look(chain: FakeChain) -> None:
    """Look to the end, as a worker does."""
    while tasks.scan_chain(chain=CHAIN, reader=chain, now=chain.clock):
        pass


def killed(chain: FakeChain, number: int) -> bool:
    """Look in a child that is killed at its write or commit of a number; False if it has fewer."""
    connections.close_all()
    child = os.fork()
    if not child:
        _arm(number)
        look(chain)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status) or os.WEXITSTATUS(status) == 0, status
    return os.WIFSIGNALED(status)


def _arm(number: int) -> None:
    """Have this process killed at its write or commit of a number."""
    left = iter(range(number - 1, -1, -1))

    def count() -> None:
        if next(left) == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    def write(execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        if sql.lstrip().upper().startswith(WRITES):
            count()
        return execute(sql, *rest)

    commits = connection._commit

    def commit() -> Any:
        count()
        return commits()

    connection.ensure_connection()
    connection.execute_wrappers.append(write)
    connection._commit = commit  # type: ignore[method-assign]


def expect(chain: FakeChain, amount: str) -> Any:
    """Expect a transfer."""
    expected_transfer = wanted(now=chain.clock, amount=Decimal(amount))
    expected_transfers.expect_transfer(expected_transfer, now=chain.clock)
    return expected_transfer.order_id


def send(chain: FakeChain, units: int) -> Any:
    """Return a transfer that is in no block yet."""
    return chain.transaction(TOKEN, PAYER.lower(), PAYEE.lower(), units, "")


def found(chain: FakeChain, number: int) -> list[Any]:
    """Have an order paid and deep enough, and another one paid too little."""
    whole, less = expect(chain, f"{100 + number}"), expect(chain, f"{900 + number}.5")
    paid = [(100 + number) * 10**6, (900 + number) * 10**6]
    chain.grow(*(send(chain, units) for units in paid), blocks=13)
    return [whole, less]


def taken_back(chain: FakeChain, number: int) -> list[Any]:
    """Have an order that was final, and one that was not, lose their transfers."""
    first = expect(chain, f"{1000 + number}")
    second = expect(chain, f"{100 + number}")
    chain.grow(*(send(chain, (base + number) * 10**6) for base in (1000, 100)), blocks=14)
    look(chain)
    chain.take_back(14)
    chain.grow(blocks=15)
    return [first, second]


def stands(made: list[Any]) -> dict[str, Any]:
    """Tell what stands of some orders, without anything that is another in each run."""
    told: dict[str, Any] = {}
    rows = dict(Order.objects.filter(order_id__in=made).values_list("pk", "order_id"))
    for place, number in enumerate(made):
        row = Order.objects.get(order_id=number)
        told[str(place)] = {
            "state": row.state,
            "bound": row.transfer is not None,
            "events": list(
                ChainEvent.objects.filter(order=row)
                .order_by("number")
                .values_list("event", flat=True)
            ),
            "cases": Case.objects.filter(ref__startswith=f"{number}/").count(),
            "told": Job.objects.filter(name="chain.tell", key=str(number)).exists(),
        }
    words = [f"order {one} " for one in rows]
    faults = [why for why in verify_orders(lambda _: None) if why.startswith(tuple(words))]
    return {"orders": told, "faults": faults}


def end(made: list[Any]) -> None:
    """Leave nothing that waits for the next act; what it did is told by then."""
    Order.objects.filter(order_id__in=made).update(ended_at=NOON)


def main() -> None:
    """Do it all and print it."""
    call_command("migrate", verbosity=0)
    chain = FakeChain(NOON)
    chain.grow(blocks=3)
    said: dict[str, Any] = {}
    for act in (found, taken_back):
        runs = []
        for number in range(1, MOST):
            made = act(chain, number)
            died = killed(chain, number)
            left = stands(made)
            look(chain)
            runs.append({"died": died, "left": left, "then": stands(made)})
            end(made)
            if not died:
                break
        said[act.__name__] = runs
    print(json.dumps(said))


if __name__ == "__main__":
    main()
