"""International bodies: the countries that their officials count for. DESIGN section 4, 2.6."""

from collections.abc import Collection

# Treaty on European Union, Art. 52, since 2020-02-01 (without the United Kingdom)
_MEMBERS = "AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK"
EU_MEMBERS = frozenset(_MEMBERS.split())
EU = "EU"
# offices of bodies above states are no national ones; FATF R.12 names them on their own
INTERNATIONAL = frozenset({EU, "UN"})
_EU_OFFICES = (
    "european union",
    "european parliament",
    "european commission",
    "european council",
    "european central bank",
    "european investment bank",
    "european court of",
    "court of justice of the eu",
)
# who belongs to these changes by the year: their officials are hidden from no country
_WORLD_OFFICES = (
    *("united nations", "unicef", "unesco", "world bank", "international monetary fund"),
    *("world health organization", "world trade organization", "international labour org"),
    *("international criminal court", "international court of justice", "interpol", "nato"),
    *("north atlantic treaty", "african union", "african development bank", "ecowas"),
    *("organization of american states", "inter-american development bank", "mercosur"),
    *("asian development bank", "association of southeast asian", "league of arab states"),
    *("gulf cooperation council", "organisation for economic co-operation", "oecd", "osce"),
    *("council of europe", "european court of human rights"),
    *("european bank for reconstruction", "bank for international settlements"),
)


def is_office_for_country(*, title: str, held_in: str, country: str) -> bool:
    """Return whether an office of an international body counts for a country, or for `EU` itself.

    `held_in` is the list's country of the office: alpha-2, EU, UN or empty. Titles count too:
    lists give a member of the European Parliament the country that elected the member.
    """
    plain = title.casefold()
    if held_in == "UN" or _mentions_office(plain, _WORLD_OFFICES):
        return True
    european = held_in == EU or _mentions_office(plain, _EU_OFFICES)
    return european and (country == EU or country in EU_MEMBERS)


def _mentions_office(title: str, offices: Collection[str]) -> bool:
    # an office's words must begin a word of the title, and may be only the beginning of its last
    # one
    words = f" {title.replace(',', ' ').replace('(', ' ').replace(')', ' ')} "
    return any(f" {office}" in words for office in offices)
