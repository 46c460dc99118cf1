"""What the claims of a sign-on provider mean: second factors and roles. Pure."""

from collections.abc import Iterable, Mapping

# values of `amr` (RFC 8176) that stand for more than a password
STRONG_METHODS = frozenset({"mfa", "otp", "hwk", "swk", "fpt", "face", "sc", "pop"})


def is_second_factor_claimed(*, amr: Iterable[str], acr: str, accepted: Iterable[str]) -> bool:
    """Tell whether the provider says that a second factor was used."""
    return bool(STRONG_METHODS & set(amr)) or (bool(acr) and acr in set(accepted))


def map_groups_to_roles(*, groups: Iterable[str], mapping: Mapping[str, str]) -> tuple[str, ...]:
    """Return the desk's roles of a user in these groups of the provider, each once."""
    roles = (mapping[group] for group in groups if group in mapping)
    return tuple(dict.fromkeys(roles))
