"""Aliases of an entity that are, or resemble, the legal name of another."""

from collections.abc import Iterator

from apps.compliance.payees.models import Registration
from apps.compliance.payees.models.registrations import name_key
from apps.compliance.payees.registration_requests import RegistrationRequest
from apps.reference.lei import legal_name_check
from apps.reference.lei.models import LeiRecord
from apps.reference.lei.name_agreement import (
    fold_without_legal_form,
    is_close_to_legal_name,
    is_same_name,
)
from apps.reference.lei.values import Entity

MOST_LIKE = 200  # names of others that begin like an alias, of each kind


LEAST_PREFIX = 3  # letters


def find_borrowed_aliases(
    registration: Registration | None,
    registration_request: RegistrationRequest,
    entity: Entity | None,
) -> list[tuple[str, str]]:
    """Return aliases that equal or resemble another entity's legal name, each with that entity.

    The others are entities that are registered here, and those of GLEIF that begin alike; two
    queries. A name that GLEIF confirms, or that already counts for the wallet, is its own.
    """
    counted = {
        name_key(counted_name)
        for counted_name in (
            registration.counted_names if registration and registration.active else ()
        )
    }
    new = [
        given_alias
        for given_alias in registration_request.submitted.aliases or ()
        if name_key(given_alias) not in counted
        and not (entity and legal_name_check.is_any_name(given_alias, entity))
    ]
    # candidates by how names begin: not every name on record can be compared
    others = list(_similar_legal_names(new, registration_request, entity)) if new else []
    own, borrowed_aliases = registration_request.submitted.legal_name, []
    for alias in new:
        whose = next(
            (
                legal_name
                for name, legal_name in others
                if is_close_to_legal_name(alias, name, own=own)
            ),
            "",
        )
        if whose:
            borrowed_aliases.append((alias, whose))
    return borrowed_aliases


def _similar_legal_names(
    aliases: list[str], registration_request: RegistrationRequest, entity: Entity | None
) -> Iterator[tuple[str, str]]:
    """Yield legal names of others that begin as these aliases do, and who they are in words."""
    starts = {start for alias in aliases for start in _name_prefixes(alias)}
    lei = entity.lei if entity else ""
    own = registration_request.submitted.legal_name
    here = Registration.objects.active().named_like(starts)
    for name, other_lei in here.values_list("legal_name", "lei").distinct()[:MOST_LIKE]:
        if not (is_same_name(name, own) or (lei and other_lei == lei)):
            yield name, f"{name}, registered here"
    for name, other_lei in LeiRecord.objects.named_like(starts, most=MOST_LIKE):
        if other_lei != lei and not is_same_name(name, own):
            yield name, f"{name} (LEI {other_lei})"


def _name_prefixes(name: str) -> set[str]:
    """Return how names like this one begin: two thirds of it, with and without its points."""
    written = (fold_without_legal_form(name), legal_name_check.fold_name(name))
    return {
        # two thirds: a slip near the end still finds the name
        prefix[: max(LEAST_PREFIX, len(fold_without_legal_form(name)) * 2 // 3)]
        for prefix in written
        if prefix
    }
