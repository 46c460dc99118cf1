"""What the checks of a registration found, as its rules read it. Pure."""

from dataclasses import dataclass

from apps.compliance.payees.rules.lei_states import NONE
from apps.platform.common.country_names import country_name


def format_countries(*codes: str) -> str:
    """Return countries in words."""
    return ", ".join(country_name(code) or code for code in codes)


@dataclass(frozen=True, slots=True)
class RegistrationFacts:
    """The results of the checks of a registration.

    `score` 0 to 100 is the best on sanctions lists, `matched` the listed party; `unread` and
    `lacking` say what could not be checked; `elsewhere` are registrations of the same entity under
    another name, as (wallet, name); `added` the names added to an active registration;
    `countries` are the entity's listed ones, as (country, label or EMBARGO); `borrowed` aliases
    that are another entity's legal name, as (alias, entity); `contested` the entity submitted for
    a wallet of another entity; `earlier` the wallet's previous entity, if different; `country` is
    the entity's, `before` the previously registered one, `at_gleif` those of the LEI at GLEIF.
    """

    legal_name: str
    score: int = 0
    matched: str = ""
    unread: tuple[str, ...] = ()
    lacking: tuple[str, ...] = ()
    lei: str = ""
    lei_status: str = NONE
    gleif_name: str = ""
    gleif_agrees: bool = True
    elsewhere: tuple[tuple[str, str], ...] = ()
    added: tuple[str, ...] = ()
    contested: str = ""
    earlier: str = ""
    countries: tuple[tuple[str, str], ...] = ()
    borrowed: tuple[tuple[str, str], ...] = ()
    country: str = ""
    before: str = ""
    at_gleif: tuple[str, ...] = ()

    @property
    def differs(self) -> bool:
        """Whether GLEIF has the entity in other countries alone."""
        return bool(self.at_gleif) and self.country not in self.at_gleif

    @property
    def moved(self) -> bool:
        """Whether the country is another than before, and GLEIF does not bear it out."""
        return self.before not in ("", self.country) and self.country not in self.at_gleif

    def listed(self, *labels: str) -> str:
        """Return the entity's countries that bear one of these labels, in words."""
        # a country may be listed under two labels, and is named once
        codes = dict.fromkeys(code for code, label in self.countries if label in labels)
        return format_countries(*codes)
