"""Settlement rails: each settles an order once, however often it is called.

A rail is an object with `name`, `network`, `chains` and `settle(order, now)`. RAILS has
them by the name in SETTLEMENT_RAIL.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from functools import cache
from typing import Protocol

from django.conf import settings

from apps.platform.common.registry import Registry


@dataclass(frozen=True, slots=True)
class RailOrder:
    """What is to be settled; `order_id` is the payment's, and the rail settles it once.

    `amount` is in `asset`, what the recipient receives. `chain` is the one that the instruction
    names (CAIP-2), empty where it leaves that to the rail. `owner` is the institution, `sender` the
    debtor's wallet where the instruction names one.
    """

    order_id: str
    asset: str
    amount: Decimal
    recipient: str
    chain: str = ""
    owner: str = ""
    sender: str = ""


@dataclass(frozen=True, slots=True)
class RailSettlement:
    """The rail confirms that an order was settled, by which transfer and on which network.

    A transaction may hold several transfers: `place` tells them apart. Without a `network` it is
    the rail's own.
    """

    tx_hash: str
    place: int = 0
    network: str = ""


@dataclass(frozen=True, slots=True)
class RailRefusal:
    """The rail will never settle the order; `why` is a sentence that may be shown."""

    why: str


@dataclass(frozen=True, slots=True)
class RailPending:
    """The rail has the order and has not confirmed it: ask again at `again`."""

    again: datetime


class RailError(RuntimeError):
    """The rail could not be asked; asking again later makes sense."""


class Rail(Protocol):
    """A settlement rail. `settle` may be called again for the same order: it is settled once.

    `chains` are those that an instruction may name (CAIP-2): it settles on each of them. One that
    `binds` keeps an order at its price until it ends: the quote is taken as the order is made,
    within one transaction, so its `settle` makes no outside calls.
    """

    name: str
    binds: bool

    @property
    def network(self) -> str: ...

    @property
    def chains(self) -> frozenset[str]: ...

    def holds(self, order_id: str) -> bool:
        """Tell whether a rail that binds has the order already."""
        ...

    def settle(
        self, *, order: RailOrder, now: datetime
    ) -> RailSettlement | RailRefusal | RailPending:
        """Settle an order, or return its status; RailError if the status is unknown."""
        ...


RAILS: Registry[Callable[[], Rail]] = Registry("settlement rail")


def configured_rail() -> Rail | None:
    """Return the rail of this installation, None where it has none."""
    return _build_rail(RAILS[settings.SETTLEMENT_RAIL]) if settings.SETTLEMENT_RAIL else None


@cache
def _build_rail(build: Callable[[], Rail]) -> Rail:
    return build()
