"""What a submission is compared with: how the wallet stood before, and what GLEIF calls it."""

from apps.lei import names
from apps.lei.values import Entity
from apps.names.payee import compare
from apps.registry.models import Registration
from apps.registry.models.registrations import name_key
from apps.registry.register.asked import Asked
from apps.registry.rules.steps import another_entity

SAME_ENTITY_FROM = 75  # as for the owners of agents (apps/agents/rules/levels.py)


def earlier(held: Registration | None, asked: Asked, own: int | None) -> str:
    """Return under which other entity a wallet stood that is registered anew."""
    before = last_counted(asked.wallet.address) if held is None and own is None else None
    if before is None or not another_entity(before.standing, asked.submitted):
        return ""
    return f"{before.legal_name} (LEI {before.lei})" if before.lei else before.legal_name


def last_counted(wallet: str) -> Registration | None:
    """Return the last ended registration of a wallet whose entity counted, or else the last one.

    One that waited for its review when it ended never stood for the wallet's entity: who
    deactivates it and registers it again is looked at again.
    """
    ended = Registration.objects.before(wallet)
    return next((one for one in ended if one.counted), ended[0] if ended else None)


def added(stood: Registration | None, asked: Asked) -> list[str]:
    """Return the aliases that a wallet gains beside the names under which it stands, or stood.

    A name that waited for its review is gained anew.
    """
    if stood is None:
        return []
    known = {name_key(one) for one in (stood.legal_name, *stood.counted_names)}
    known |= {name_key(one) for one in stood.aliases} if stood.active else set()
    return [one for one in asked.submitted.aliases or () if name_key(one) not in known]


def is_named(name: str, entity: Entity) -> bool:
    """Tell whether a name is an entity's: word by word, and with no other legal form.

    `Bloomberg Inc.` and `Bloomberg L.P.` are two companies, each with an LEI of its own.
    """
    if not names.agrees(name, entity):
        return False
    legal, *others = names.legal_names(entity)
    found = compare(submitted=name, registered=legal, aliases=others)
    return found.score >= SAME_ENTITY_FROM
