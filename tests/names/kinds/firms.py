"""Kinds of what companies' names differ in: forms, trading names, siblings, numbers, cut ends."""

from itertools import product

from tests.names.kinds import Kind
from tests.names.kinds.companies import BRANDS, FIRMS, LINES
from tests.names.kinds.people import given, people

_SAME_FORMS = """
Ltd|Limited; Ltd.|LTD; PLC|Public Limited Company; Inc|Incorporated; Corp.|Corporation;
L.L.C.|LLC; GmbH|Gesellschaft mit beschränkter Haftung; AG|Aktiengesellschaft;
KG|Kommanditgesellschaft; S.A.|SA; S.A.|Société Anonyme; SARL|S.à r.l.; S.A.S.|SAS; SAS|Société
par actions simplifiée; S.p.A.|SpA; SPA|Società per Azioni; S.r.l.|SRL; SRL|Società a
responsabilità limitata; B.V.|BV; BV|Besloten Vennootschap; N.V.|NV; NV|Naamloze Vennootschap;
AB|Aktiebolag; A/S|Aktieselskab; ApS|Anpartsselskab; Oy|Osakeyhtiö; AS|Aksjeselskap;
S.L.|Sociedad Limitada; S.A.|Sociedad Anónima; Lda|Limitada; Sp. z o.o.|spółka z ograniczoną
odpowiedzialnością; S.A.|Spółka Akcyjna; s.r.o.|společnost s ručením omezeným; a.s.|akciová
společnost; Kft.|Korlátolt Felelősségű Társaság; d.o.o.|družba z omejeno odgovornostjo;
A.Ş.|Anonim Şirketi; Pty Ltd|Proprietary Limited; Pvt Ltd|Private Limited; e.V.|eingetragener
Verein; GmbH & Co. KG|GmbH und Co KG; LLP|Limited Liability Partnership; OHG|offene
Handelsgesellschaft; e.K.|eingetragener Kaufmann
"""
_OTHER_FORMS = """
GmbH|AG; GmbH|KG; GmbH|OHG; Ltd|PLC; Ltd|LLP; Inc|LLC; LLC|LP; SARL|SA; SAS|SARL; S.p.A.|S.r.l.;
BV|NV; AB|HB; Oy|Ky; ApS|A/S; S.L.|S.A.; Lda|S.A.; Sp. z o.o.|S.A.; s.r.o.|a.s.; Kft|Zrt;
GmbH|e.V.
"""
_FAMOUS_SHORT = """
HSBC|Hongkong and Shanghai Banking Corporation; GSK|Glaxo Smith Kline plc; AMD|Advanced Micro
Devices Inc; KLM|Koninklijke Luchtvaart Maatschappij N.V.; MAN|Maschinenfabrik Augsburg Nürnberg
AG; SAP|Systeme Anwendungen Produkte SE; UPS|United Parcel Service Inc; GE|General Electric
Company; RWE|Rheinisch Westfälisches Elektrizitätswerk AG; FIAT|Fabbrica Italiana Automobili
Torino SpA; SNCF|Société Nationale des Chemins de fer Français; RBS|Royal Bank of Scotland plc;
BBC|British Broadcasting Corporation; NCR|National Cash Register Corporation; LVMH|Louis Vuitton
Moet Hennessy SE; DHL|Dalsey Hillblom Lynn GmbH; ENI|Ente Nazionale Idrocarburi SpA
"""
_HALVES = ("North South Upper Lower Royal United First National", "Harbour River Valley County")
_ACTIVE = "Motor Steel Marine Timber Copper Railway Textile Chemical Aviation Mutual"
_BODIES = "Works Exchange Brokers Foundry Surveyors Mills"
_SIBLINGS = """
{b} Financial Services AG|{b} AG; {b} Deutschland GmbH|{b} GmbH; {b} UK Limited|{b} Limited; {b}
Energy AG|{b} AG; {b} Logistics Ltd|{b} Ltd; {b} Real Estate plc|{b} plc; {b} Holding AG|{b} AG;
{b} Bank S.A.|{b} S.A.; {b} Insurance Ltd|{b} Ltd; {b} France SAS|{b} SAS; {b} Leasing GmbH|{b}
GmbH; {b} Pension Trustees Ltd|{b} Ltd; {b} Italia S.p.A.|{b} S.p.A.
"""
_NAMED = """
{b}|Robert {b} GmbH; {b}|Koninklijke {b} N.V.; {b}|Compagnie {b} S.A.; {b}|{b} Group AG;
{b}|Hermann {b} KG; {b}|Société des Fils {b} S.A.; {b}|F. W. {b} Ltd; {b}|Gebrüder {b} GmbH
"""
_SERIES = """
{b} Fund II LP|{b} Fund III LP; Windpark {b} 4 GmbH|Windpark {b} 7 GmbH; {b} Leasing No. 12
Ltd|{b} Leasing No. 21 Ltd; {b} Capital Partners V LP|{b} Capital Partners IV LP; Solarpark {b}
1 GmbH & Co. KG|Solarpark {b} 2 GmbH & Co. KG; {b} Fund One LP|{b} Fund Two LP
"""
_PLACES = ((", ", "London"), (" ", "Berlin"), (" (", "Paris)"), (" - ", "Madrid"))
_TWINS = """
Global {x} Services Ltd|Global {y} Services Ltd; International {x} Group GmbH|International {y}
Group GmbH; European {x} Company S.A.|European {y} Company S.A.; United {x} Holdings Inc|United
{y} Holdings Inc; National {x} Solutions LLC|National {y} Solutions LLC
"""
_TRADING = """
Blue Lantern Pizza|Marwood Hospitality Ltd; Speedy Tyres|J. Fenwick Motors GmbH; The Rusty
Anchor|Coastal Inns (Devon) Limited; Café Aurora|Benedetti Ristorazione S.r.l.; Pixel
Garden|Okonkwo Digital Media LLC; Green Thumb|Hargreaves Horticulture plc
"""


def _rows(table: str) -> list[list[str]]:
    return [row.strip().split("|") for row in " ".join(table.split()).split(";")]


def _each(table: str, brands: list[str], most: int) -> tuple[tuple[str, str], ...]:
    """Return the rows of a table with one brand after the other in them."""
    found = [(a.format(b=b), c.format(b=b)) for b in brands for a, c in _rows(table)]
    return tuple(found[:most])


def _formed(table: str, brands: list[str]) -> tuple[tuple[str, str], ...]:
    return tuple(
        (f"{b} {x}", f"{b} {y}") if n % 2 else (f"{b} {y}", f"{b} {x}")
        for b in brands
        for n, (x, y) in enumerate(_rows(table))
    )


def _acronyms() -> list[tuple[str, str]]:
    acronyms = [(short, whole) for short, whole in _rows(_FAMOUS_SHORT)]
    words = product(_HALVES[0].split(), _HALVES[1].split(), _ACTIVE.split(), _BODIES.split())
    for n, name in enumerate(list(words)[::14]):
        short, form = "".join(word[0] for word in name), ("Ltd", "Inc", "AG", "plc", "")[n % 5]
        acronyms.append(
            (f"{short} {form if n % 2 else ''}".strip(), f"{' '.join(name)} {form}".strip())
        )
    return acronyms


def _truncated() -> list[tuple[str, str]]:
    """Return long names cut within a word at 27 to 35 letters, as the fields of payments cut them.

    But for the 35 letters of a field, what is left of the word is none by itself.
    """
    found = []
    for n, (one, two) in enumerate(product(BRANDS, LINES)):
        name = f"{one} {two} International {LINES[(n + 3) % 20]} Beteiligungsgesellschaft mbH"
        cut = name[: 35 if n % 2 else 27 + n % 7]
        whole = len(cut) < 35 and (cut[-2].isspace() or cut.endswith(" Pub"))
        if not name[len(cut)].isspace() and not cut[-1].isspace() and not whole:
            found.append((cut, name))
    return found[::4]


def _ampersands() -> list[tuple[str, str]]:
    words = ("and", "und", "et", "y", "e", "&", "+", "och", "en")
    return [
        (f"{a} {words[n % 9] if n % 9 != 5 else 'and'} {b} {form}", f"{a} & {b} {form}")
        for n, (a, b) in enumerate(product(BRANDS[:13], BRANDS[20:32]))
        for form in [("Ltd", "GmbH", "S.A.", "Inc")[n % 4]]
    ]


KINDS = (
    Kind(
        "R15", "one legal form written in two ways", "MATCH", "CLOSE",
        _formed(_SAME_FORMS, BRANDS[:4]),
    ),
    Kind(
        "R16", "legal form left out", "MATCH", "CLOSE",
        tuple((" ".join(firm.split()[:-1]), firm) for firm in FIRMS)
        + tuple((firm, " ".join(firm.split()[:-1])) for firm in FIRMS),
    ),
    Kind("R17", "another legal form", "CLOSE", "NO", _formed(_OTHER_FORMS, BRANDS[5:13])),
    Kind(
        "R18", "a trading name that the legal name does not hold", "NO", "",
        tuple((shop, firm) for shop, _ in _rows(_TRADING) for firm in FIRMS[:26]),
    ),
    Kind("R18b", "trading name with the telling word", "CLOSE", "NO", _each(_NAMED, BRANDS, 160)),
    Kind("R19", "acronym", "CLOSE", "NO", tuple(_acronyms())),
    Kind("R20", "ampersand or a word for it", "MATCH", "CLOSE", tuple(_ampersands())),
    Kind("R21", "another company of the group", "NO", "CLOSE", _each(_SIBLINGS, BRANDS, 160)),
    Kind(
        "R25", "a person, and a company of that name", "CLOSE", "NO",
        tuple(
            (f"{a} {b}", f"{a} {b} {form}") if n % 2 else (f"{a} {b} {form}", f"{a} {b}")
            for n, (a, b) in enumerate(people(160, 8))
            for form in [("GmbH", "Ltd", "S.r.l.", "Inc", "SARL")[n % 5]]
        ),
    ),
    Kind("R26", "another number of a series", "NO", "CLOSE", _each(_SERIES, BRANDS, 160)),
    Kind(
        "R28", "only generic words in common", "NO", "CLOSE",
        tuple(
            (one.format(x=LINES[n], y=LINES[m]), two.format(x=LINES[n], y=LINES[m]))
            for one, two in _rows(_TWINS)
            for n, m in [(n, (n + step) % 20) for step in (3, 8) for n in range(16)]
        ),
    ),
    Kind("R29", "cut off at the length of a field", "CLOSE", "MATCH", tuple(_truncated())),
    Kind(
        "R30", "a place behind the whole name", "CLOSE", "MATCH",
        tuple(
            (f"{firm}{between}{place}", firm)
            for firm in FIRMS[:40]
            for between, place in _PLACES
        ),
    ),
    Kind(
        "R32", "legal name and trading name of one field", "MATCH", "CLOSE",
        tuple(
            (f"{a} {b} {joint} {given('fr')[n % 20]}'s {LINES[n % 20]}", f"{a} {b}")
            for n, (a, b) in enumerate(people(160, 6))
            for joint in [("t/a", "trading as", "T/A", "d/b/a", "c/o")[n % 5]]
        ),
    ),
)  # fmt: skip
