"""Callers of the API: a key's account, payer, session, agent and anonymous share one type."""

from dataclasses import dataclass

NOBODY = "NOBODY"


@dataclass(frozen=True, slots=True)
class Caller:
    """The caller, as all code behind authentication knows it.

    `ref` owns what the call makes: records, cases, bills and pages name a tenant only by it. `kind`
    is the kind of key, or PAYER, SESSION, AGENT, NOBODY; `name` is for people. `payment` is the id
    of the payment that buys this call, None without one. `account` is the tenant whose key came
    beside the payment: the payment buys the call, and the key says whose figures are reported;
    empty without such a key. `wallet` is the wallet that pays for this call, empty without one: its
    signature is checked before anything is gathered.
    """

    ref: str
    kind: str
    name: str = ""
    payment: int | None = None
    account: str = ""
    wallet: str = ""
