"""Who calls: a key's account, a payer, a session, an agent or nobody are callers of one kind."""

from dataclasses import dataclass

NOBODY = "NOBODY"


@dataclass(frozen=True, slots=True)
class Caller:
    """Who calls, as everything behind authentication knows it.

    `ref` owns what the call makes: records, cases, bills and pages name a tenant by it, and by
    nothing else. `kind` is the kind of key, or PAYER, SESSION, AGENT, NOBODY; `name` is for
    people. `payment` is the id of the payment that buys this call, None where none does.
    `account` is the tenant whose key came beside the payment: the payment buys, and the key says
    of whom is told. Empty where none came. `wallet` is the wallet that pays for this call, empty
    where none does: what it signed is checked before anything is gathered.
    """

    ref: str
    kind: str
    name: str = ""
    payment: int | None = None
    account: str = ""
    wallet: str = ""
