"""What the checks of a registration found, as its rules read it. Pure."""

from dataclasses import dataclass

from apps.compliance.payees.rules.lei_states import NONE
from apps.platform.common.country_names import country_name


def format_countries(*codes: str) -> str:
    """Return countries in words."""
    return ", ".join(country_name(code) or code for code in codes)


@dataclass(frozen=True, slots=True)
class RegistrationFacts:
    """What the checks of a registration found.

    `score` 0 to 100 is the best on sanctions lists and `matched` whose it is; `unread` and
    `lacking` say what could not be checked; `elsewhere` are registrations of the same entity under
    another name, as (wallet, name); `added` the names that an active registration gains;
    `countries` are the entity's, as (country, label or EMBARGO), where they are listed; `borrowed`
    aliases that are another's legal name, as (alias, whose);
    `contested` the entity that was submitted for a wallet of another; `earlier` the entity under
    which the wallet stood before, where that is another; `country` is that of the entity, `before`
    the one under which it stood, `at_gleif` those that GLEIF has for the LEI.
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
        codes = dict.fromkeys(code for code, label in self.countries if label in labels)
        return format_countries(*codes)
