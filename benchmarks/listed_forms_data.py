"""Listed names in the forms in which payments bring them: what is asked, and who should be found.

What is made from a listed name by rule is not itself on the lists; aliases and names in original
script are, and are withheld from the index on which they are sought. `OWN_SCRIPT` are listed
parties in the script of their own press (facts), for the files of the lists have few beside Arabic.
The Thai ones are put back into Thai letters by us, as such names are usually written.
"""

import csv
import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import sha1
from pathlib import Path

import icu

from apps.reference.watchlists.listed_entity import ListedName
from apps.reference.watchlists.matching.index import IndexEntry
from benchmarks.cultures_data import script_of
from benchmarks.matching_data import OFFICIAL

LINE = 35  # characters of a line of a SWIFT message
_BRACKETS = re.compile(r"\s*\(.*?\)")
_TYPES = {"Person": "person", "Organization": "company", "Vessel": "vessel", "Aircraft": "aircraft"}


@dataclass(frozen=True, slots=True)
class Sought:
    """A listed party in a form; `withheld` says that the list's name of it is not indexed."""

    form: str
    name: str
    entity_type: str
    ref: str
    withheld: bool = False


# how payments shorten words of companies and banks
SHORTER = {
    "bank": "bk", "company": "co", "limited": "ltd", "corporation": "corp", "national": "natl",
    "international": "intl", "commercial": "coml", "industrial": "indl", "industries": "ind",
    "development": "dev", "trading": "trdg", "management": "mgmt", "services": "svcs",
    "shipping": "shpg", "general": "gen", "engineering": "engr", "manufacturing": "mfg",
    "organization": "org", "association": "assn", "central": "ctrl", "group": "grp",
    "construction": "constr", "investment": "inv", "petroleum": "petr", "republic": "rep",
    "department": "dept", "university": "univ", "technology": "tech", "transport": "trpt",
    "foundation": "fdn", "institute": "inst", "exchange": "exch", "ministry": "min",
}  # fmt: skip
_FORMS = re.compile(
    r"[,.\s]+(LLC|L\.L\.C|LTD|LIMITED|CO|CO\.? LTD|INC|CORP|CORPORATION|COMPANY|S\.?A|S\.?A\.?L"
    r"|GMBH|AG|OOO|OAO|PJSC|JSC|FZE|FZC|FZCO|PLC|S\.?R\.?L|LTDA|PVT LTD|SAS|S\.?A\.? DE C\.?V)\.?$",
    re.IGNORECASE,
)
_WRITTEN_OUT = {
    "LTD": "Limited", "CO": "Company", "CORP": "Corporation", "LLC": "Limited Liability Company",
    "INC": "Incorporated", "OOO": "Obshchestvo s Ogranichennoy Otvetstvennostyu",
    "OAO": "Otkrytoe Aktsionernoe Obshchestvo", "JSC": "Joint Stock Company",
    "PLC": "Public Limited Company", "INTL": "International",
}  # fmt: skip
# how other countries write Slavic and Arabic names in Latin letters; a rule is a pattern and a text
_SLAVIC_SPELLINGS = {
    "German": "shch:schtsch zh:sch sh:sch ch:tsch kh:ch y\\b:i v:w ya:ja yu:ju ts:z",
    "French": "shch:chtch zh:j sh:ch \\bch:tch u:ou y\\b:i in\\b:ine",
    "Polish": "shch:szcz zh:z sh:sz ch:cz kh:ch v:w ya:ja yu:ju ts:c y\\b:i",
    "scholarly": "shch:šč zh:ž sh:š ch:č kh:h ya:ja yu:ju ts:c ye:e y\\b:ij",
}
_ARABIC_SPELLINGS = {
    "French": "sh:ch u:ou \\bal-:el- j:dj w:ou q:k",
    "Egyptian": "\\bal-:el- j:g q:k dh:z uh:oh u:o",
    "English": "aa:a ee:i oo:u q:k iy:i yy:y mm:m ss:s u:ou",
    "Turkish": "sh:ş j:c kh:h q:k w:v \\bal-:el- gh:g",
    "Persian": "u:o w:v dh:z ay:ey i\\b:ee",
}
_KOREAN_SPELLINGS = {
    "Revised": "\\bkim\\b:gim \\bpak\\b:bak \\bri\\b:i ch:j \\bt:d \\bp:b \\bk:g ong:eong",
    "usual in the South": "\\bpak\\b:park \\bri\\b:lee \\bchoe\\b:choi \\bchong\\b:jung "
    "\\bim\\b:lim ong:oung",
}
_SLAVIC = re.compile(r"(ov|ova|ev|eva|in|ina|sky|skiy|enko|chuk|ich|ovich|evich)$", re.IGNORECASE)
_PATRONYMIC = re.compile(r"(ovich|evich|ovna|evna|ich)$", re.IGNORECASE)
_HALVES = frozenset({"abd", "abdul", "abu", "umm", "haji", "hajji", "mullah", "al", "sheikh"})
_ARABIC = re.compile(
    r"\b(al|abd|abu|bin|ibn|muhammad|mohammed|ahmad|ali|hasan|husayn)\b", re.IGNORECASE
)

OWN_SCRIPT = """
Cyrillic | Person | Игорь Иванович Сечин | Igor Ivanovich Sechin
Cyrillic | Person | Олег Владимирович Дерипаска | Oleg Vladimirovich Deripaska
Cyrillic | Person | Виктор Феликсович Вексельберг | Viktor Feliksovich Vekselberg
Cyrillic | Person | Геннадий Николаевич Тимченко | Gennady Timchenko
Cyrillic | Person | Аркадий Романович Ротенберг | Arkady Rotenberg
Cyrillic | Person | Евгений Викторович Пригожин | Yevgeniy Viktorovich Prigozhin
Cyrillic | Person | Рамзан Ахматович Кадыров | Ramzan Akhmatovich Kadyrov
Cyrillic | Person | Сулейман Абусаидович Керимов | Suleiman Kerimov
Cyrillic | Person | Александр Григорьевич Лукашенко | Alyaksandr Lukashenka
Cyrillic | Person | Андрей Леонидович Костин | Andrey Leonidovich Kostin
Cyrillic | Person | Алексей Борисович Миллер | Alexei Miller
Cyrillic | Person | Милорад Додик | Milorad Dodik
Cyrillic | Organization | АО «Рособоронэкспорт» | Rosoboroneksport OAO
Cyrillic | Organization | Концерн «Калашников» | Kalashnikov Concern
Cyrillic | Organization | ООО «Интернет Исследования» | Internet Research Agency LLC
Cyrillic | Organization | АО «АБ «РОССИЯ» | Bank Rossiya
Arabic | Person | بشار الأسد | Bashar Al-Assad
Arabic | Person | ماهر الأسد | Maher Al-Assad
Arabic | Person | رامي مخلوف | Rami Makhluf
Arabic | Person | حسن نصر الله | Hasan Nasrallah
Arabic | Person | جبران باسيل | Gibran Bassil
Arabic | Person | إسماعيل هنية | Ismail Haniyeh
Arabic | Organization | حزب الله | Hizballah
Arabic | Organization | حماس | Hamas
Arabic | Organization | المصرف التجاري السوري | Commercial Bank of Syria
Arabic | Organization | مصرف سورية المركزي | Central Bank of Syria
Persian | Person | علی خامنه‌ای | Ali Husseini Khamenei
Persian | Person | ابراهیم رئیسی | Ebrahim Raisi
Persian | Person | محمد جواد ظریف | Mohammad Javad Zarif
Persian | Person | حسین سلامی | Hossein Salami
Persian | Organization | بانک ملی ایران | Bank Melli Iran
Persian | Organization | بانک صادرات ایران | Bank Saderat Iran
Persian | Organization | بانک مرکزی جمهوری اسلامی ایران | Central Bank of Iran
Persian | Organization | سپاه پاسداران انقلاب اسلامی | Islamic Revolutionary Guard Corps
Persian | Organization | شرکت ملی نفت ایران | National Iranian Oil Company
Persian | Organization | ماهان ایر | Mahan Air
Han | Person | 林鄭月娥 | Carrie Lam
Han | Person | 夏宝龙 | Xia Baolong
Han | Person | 骆惠宁 | Luo Huining
Han | Person | 陈全国 | Chen Quanguo
Han | Person | 朱海仑 | Zhu Hailun
Han | Person | 王晨 | Wang Chen
Han | Person | 李家超 | John Lee Ka-chiu
Han | Person | 邓炳强 | Chris Tang
Japanese | Person | 篠田建市 | Kenichi Shinoda
Japanese | Person | 司忍 | Shinobu Tsukasa
Japanese | Person | 高山清司 | Kiyoshi Takayama
Japanese | Person | 清田次郎 | Jiro Kiyota
Japanese | Person | 内堀和也 | Kazuya Uchibori
Japanese | Person | 後藤忠政 | Tadamasa Goto
Japanese | Person | 入江禎 | Tadashi Irie
Japanese | Person | 竹内照明 | Teruaki Takeuchi
Japanese | Person | 井上邦雄 | Kunio Inoue
Japanese | Person | 寺岡修 | Osamu Teraoka
Japanese | Person | 池田孝志 | Takashi Ikeda
Japanese | Person | 橋本弘文 | Hirofumi Hashimoto
Japanese | Person | 高木康男 | Yasuo Takagi
Japanese | Person | 西口茂男 | Shigeo Nishiguchi
Japanese | Person | 石田章六 | Shoroku Ishida
Japanese | Person | 関功 | Isao Seki
Japanese | Organization | 山口組 | Yamaguchi-gumi
Japanese | Organization | 弘道会 | Kodo-kai
Japanese | Organization | 住吉会 | Sumiyoshi-kai
Japanese | Organization | 稲川会 | Inagawa-kai
Japanese | Organization | 工藤會 | Kudo-kai
Japanese | Organization | 神戸山口組 | Kobe Yamaguchi-gumi
Japanese | Organization | 山健組 | Yamaken-gumi
Thai | Person | สุเทพ สามแสง | Suthep Samsaeng
Thai | Person | สมบูรณ์ กระดุมพร | Somboon Kradumporn
Thai | Person | วารี กระดุมพร | Varee Kradumporn
Thai | Person | วิมลศรี ไชยวรศิลป์ | Wimonsi Chaiworasin
Thai | Person | วิไล ไชยวรศิลป์ | Wilai Chaiworasin
Thai | Person | สุวิทย์ พวงเพชร | Suwit Phuangphet
Thai | Person | อรินทร์ จันทร์ประภาพร | Arin Janprapaporn
Thai | Person | ชาญชัย ชีวินนิติปัญญา | Charnchai Chiwinnitipanya
Thai | Person | ณัฐ รุ่งตะวันคีรี | Nat Rungtawankhiri
Thai | Person | อัจฉรา ประภัสร์วร | Atchara Prapatwora
Thai | Person | จันทร์จิรา บุญเชื้อ | Chanchira Boonchua
Thai | Person | วินัย พิชญ์ยศ | Winai Pichayos
Thai | Person | หิรัญ เจริญอภาพร | Hiran Chariapaporn
Han | Organization | 新疆生产建设兵团 | Xinjiang Production and Construction Corps
Han | Organization | 丹东鸿祥实业发展有限公司 | Dandong Hongxiang Industrial Development Co
Han | Organization | 中国电子进出口有限公司 | China National Electronics Import & Export Corporation
Han | Person | 篠田建市 | Kenichi Shinoda
Han | Organization | 山口組 | Yamaguchi-gumi
Han | Organization | 住吉会 | Sumiyoshi-kai
Han | Organization | 稲川会 | Inagawa-kai
Hangul | Person | 김정은 | Kim Jong Un
Hangul | Person | 김여정 | Kim Yo Jong
Hangul | Person | 최룡해 | Choe Ryong Hae
Hangul | Person | 김영철 | Kim Yong Chol
Hangul | Organization | 조선광선은행 | Korea Kwangson Banking Corp
Hangul | Organization | 단천상업은행 | Tanchon Commercial Bank
Hangul | Organization | 조선무역은행 | Foreign Trade Bank of the Democratic People's
Hangul | Organization | 조선광업개발무역회사 | Korea Mining Development Trading Corporation
Hangul | Organization | 고려항공 | Air Koryo
Hebrew | Person | דן גרטלר | Dan Gertler
Hebrew | Organization | כהנא חי | Kahane Chai
Myanmar | Person | မင်းအောင်လှိုင် | Min Aung Hlaing
Myanmar | Person | စိုးဝင်း | Soe Win
"""


def sought(entries: Sequence[IndexEntry], folder: Path, *, count: int) -> Iterator[Sought]:
    """Yield listed parties in every form: at most so many parties of each kind."""
    raw = _raw_names(folder)
    persons = _some(
        (one for one in entries if one.entity.schema == "Person" and one.ref in raw), count
    )
    for entry in persons:
        yield from _of_person(entry, *raw[entry.ref])
    firms = [one for one in entries if one.entity.schema == "Organization"]
    for entry in _some(firms, count):
        yield from _of_firm(entry)
    for entry in _some((firm for firm in firms if len(_name(firm)) > LINE + 3), count):
        yield from _cut(entry)
    for entry in _some((one for one in entries if one.entity.schema == "Vessel"), count):
        yield from _of_vessel(entry)
    for entry in _some((one for one in entries if one.entity.schema == "Aircraft"), count):
        yield from _of_aircraft(entry)
    former = (one for one in entries if any(name.kind == "former" for name in one.entity.names))
    for entry in _some(former, count):
        yield from _of_former(entry)
    yield from _in_own_script(entries)
    yield from _withheld(entries, count)


def without_withheld(
    entries: Sequence[IndexEntry], asked: Sequence[Sought]
) -> Iterator[IndexEntry]:
    """Yield the parties without the names that are withheld from each."""
    withheld: dict[str, set[str]] = {}
    for one in asked:
        if one.withheld:
            withheld.setdefault(one.ref, set()).add(one.name)
    for entry in entries:
        gone = withheld.get(entry.ref, set())
        names = tuple(name for name in entry.entity.names if name.full not in gone)
        yield replace(entry, entity=replace(entry.entity, names=names)) if gone else entry


def _raw_names(folder: Path) -> dict[str, tuple[str, list[str]]]:
    """Return family name and given names of OFAC's persons, as the file parts them."""
    raw_names = {}
    with (folder / OFFICIAL / "sdn.csv").open(
        encoding="utf-8", errors="replace", newline=""
    ) as source:
        for row in csv.reader(source):
            if len(row) > 2 and row[2].strip() == "individual" and ", " in row[1]:
                family, _, given = row[1].partition(", ")
                if words := _plain(given).split():
                    raw_names[f"ofac:{row[0].strip()}"] = (family.strip(), words)
    return raw_names


def _of_person(entry: IndexEntry, family: str, given: list[str]) -> Iterator[Sought]:
    whole = f"{' '.join(given)} {family}"
    draw = random.Random(entry.ref)
    forms = {
        "given FAMILY": whole,
        "FAMILY, given": f"{family}, {' '.join(given)}",
        "initial and family name": f"{_initial(given[0])} {family}",
        "one slip of the pen": _slip(whole, draw),
        "first letters changed over": _spoonerism(given[0], family, given[1:]),
        "title": f"H.E. Eng. {whole}",
    }
    if len(given) > 1:
        forms["family name and initials"] = f"{family} {' '.join(map(_initial, given))}"
    if len(given) > 1 and _plain_word(given[0]) not in _HALVES:
        middle = "patronymic" if _PATRONYMIC.search(given[-1]) else "middle name"
        forms[f"{middle} left out"] = f"{given[0]} {family}"
        forms[f"{middle} as an initial"] = f"{given[0]} {_initial(given[1])} {family}"
    forms |= _respelt(whole, family, entry)
    if _SLAVIC.search(family) and _is_slavic(entry):
        forms["Cyrillic by rule"] = _cyrillic(f"{family} {' '.join(given)}")
    for form, name in forms.items():
        if name.casefold() != whole.casefold() or form == "given FAMILY":
            yield _asked(f"person: {form}", name, entry)


def _initial(name: str) -> str:
    return f"{next((letter for letter in name if letter.isalpha()), name[0]).upper()}."


def _plain_word(word: str) -> str:
    return word.casefold().strip("'`-")


def _respelt(whole: str, family: str, entry: IndexEntry) -> dict[str, str]:
    """Return a name as other countries write it in Latin letters, where it is of that origin."""
    if _is_slavic(entry) and _SLAVIC.search(family):
        tables, origin = _SLAVIC_SPELLINGS, "Slavic"
    elif "KP" in entry.entity.countries or "DPRK" in " ".join(entry.entity.programs):
        tables, origin = _KOREAN_SPELLINGS, "Korean"
    elif _ARABIC.search(whole):
        tables, origin = _ARABIC_SPELLINGS, "Arabic"
    else:
        return {}
    return {f"{origin}, {way} spelling": _by_rules(whole, rules) for way, rules in tables.items()}


def _is_slavic(entry: IndexEntry) -> bool:
    programs = " ".join(entry.entity.programs)
    return (
        bool({"RU", "UA", "BY"} & set(entry.entity.countries))
        or "RUSSIA" in programs
        or "UKRAINE" in programs
    )


def _by_rules(name: str, rules: str) -> str:
    """Return a name respelt, from left to right: what one rule has written no other changes."""
    pairs = [rule.split(":") for rule in rules.split()]
    either = re.compile("|".join(f"({pattern})" for pattern, _ in pairs))
    return either.sub(lambda found: pairs[(found.lastindex or 1) - 1][1], name.lower()).title()


def _cyrillic(name: str) -> str:
    return icu.Transliterator.createInstance("Latin-Russian/BGN").transliterate(name.title())


def _of_firm(entry: IndexEntry) -> Iterator[Sought]:
    name, draw = _name(entry), random.Random(entry.ref)
    yield _asked("firm: as listed", name, entry)
    yield _asked("firm: one slip of the pen", _slip(name, draw), entry)
    words = name.split()
    shorter = " ".join(SHORTER.get(word.lower().strip(",."), word) for word in words).upper()
    if shorter != name.upper():
        yield _asked("firm: words shortened", shorter, entry)
    bare = _FORMS.sub("", name)
    if bare != name and len(bare.split()) > 1:
        yield _asked("firm: legal form left out", bare, entry)
        yield _asked("firm: another legal form", f"{bare} GmbH", entry)
    longer = " ".join(_WRITTEN_OUT.get(word.upper().strip(",."), word) for word in words)
    if longer != name:
        yield _asked("firm: legal form written out", longer, entry)
    if len(words) > 2:
        yield _asked("firm: branch", f"{name}, LONDON BRANCH", entry)
        yield _asked("firm: branch, no comma", f"{name} Hamburg Branch", entry)
        yield _asked("firm: words changed over", " ".join((words[1], words[0], *words[2:])), entry)


def _cut(entry: IndexEntry) -> Iterator[Sought]:
    line = _name(entry)[:LINE].strip()
    yield _asked("firm: cut at 35", line, entry)
    if entry.entity.addresses:
        town = entry.entity.addresses[0].split(",")[0].strip() or "TEHRAN"
        yield _asked("firm: cut at 35, then a line of address", f"{line} {town}", entry)
        yield _asked("firm: cut at 35, numbered lines", f"1/{line} 2/{town}", entry)


def _of_vessel(entry: IndexEntry) -> Iterator[Sought]:
    name = _name(entry)
    forms = {"as listed": name, "MV": f"MV {name}", "MT": f"M/T {name}"}
    imo = next(
        (identifier.value for identifier in entry.entity.identifiers if identifier.kind == "imo"),
        "",
    )
    number = re.sub(r"\D", "", imo)
    if number:
        forms["name and IMO"] = f"{name} (IMO {number})"
        forms["IMO in a text"] = f"FREIGHT MT {name} IMO{number} VOY 3"
        forms["IMO alone, another name"] = f"OCEAN STAR IMO {number}"
    for form, asked in forms.items():
        yield _asked(f"vessel: {form}", asked, entry)
        if form in ("as listed", "MV", "name and IMO"):
            yield replace(_asked(f"vessel, no type given: {form}", asked, entry), entity_type="")


def _of_aircraft(entry: IndexEntry) -> Iterator[Sought]:
    tails = [
        identifier.value
        for identifier in entry.entity.identifiers
        if identifier.kind == "tail_number"
    ]
    tails += [_name(entry)] if re.fullmatch(r"[A-Z0-9]{1,2}-[A-Z0-9]{3,5}", _name(entry)) else []
    for tail in tails[:1]:
        bare = tail.replace("-", "")
        yield _asked("aircraft: tail number", tail, entry)
        for form, name in (
            ("tail number without hyphen", bare),
            ("tail number in a text", f"LEASE OF AIRCRAFT {tail} OCT 2026"),
            ("tail number without hyphen in a text", f"LEASE OF AIRCRAFT {bare} OCT 2026"),
        ):
            yield replace(_asked(f"aircraft: {form}", name, entry), entity_type="")


def _of_former(entry: IndexEntry) -> Iterator[Sought]:
    former = next(name.full for name in entry.entity.names if name.kind == "former")
    kind = entry.entity.schema.lower()
    yield _asked(f"former name: {kind}", former, entry)
    if kind == "organization":
        yield _asked("former name: in a text", f"ACME LTD (FORMERLY {former})", entry)


def _in_own_script(entries: Sequence[IndexEntry]) -> Iterator[Sought]:
    """Yield the parties of OWN_SCRIPT that the lists hold under a name with all words of theirs."""
    bearers = [(set(_words(name.full)), entry) for entry in entries for name in entry.entity.names]
    for line in OWN_SCRIPT.strip().splitlines():
        script, schema, own, latin = line.split(" | ")
        wanted = set(_words(latin))
        fitting = [
            (len(words), one.ref, one)
            for words, one in bearers
            if wanted <= words and one.entity.schema == schema
        ]
        if fitting:
            yield _asked(f"{schema.lower()} in own script: {script}", own, min(fitting)[2])


def _withheld(entries: Sequence[IndexEntry], count: int) -> Iterator[Sought]:
    """Yield names in original script, and of other parties one alias each, that are not indexed."""
    scripts: list[Sought] = []
    aliases: list[tuple[IndexEntry, ListedName]] = []
    for entry in entries:
        names = entry.entity.names
        own = [name for name in names if script_of(name.full) != "Latin"]
        if own and len(own) < len(names):
            form = f"original script, withheld: {script_of(own[0].full)}"
            scripts.append(replace(_asked(form, own[0].full, entry), withheld=True))
        elif strong := [name for name in names[1:] if not name.weak and name.kind == "alias"]:
            aliases.append((entry, strong[0]))
    yield from sorted(scripts, key=lambda script: _order(script.ref))[:count]
    for entry, alias in sorted(aliases, key=lambda one: _order(one[0].ref))[:count]:
        form = f"alias, withheld: {entry.entity.schema.lower()}"
        yield replace(_asked(form, alias.full, entry), withheld=True)


def _asked(form: str, name: str, entry: IndexEntry) -> Sought:
    return Sought(form, name, _TYPES.get(entry.entity.schema, ""), entry.ref)


def _name(entry: IndexEntry) -> str:
    return _plain(entry.entity.names[0].full)


def _plain(name: str) -> str:
    return " ".join(_BRACKETS.sub("", name).split())


def _some(entries: "Iterator[IndexEntry] | list[IndexEntry]", count: int) -> list[IndexEntry]:
    """Return so many parties by the hash of their id: the same ones whatever else is listed."""
    return sorted(entries, key=lambda entry: _order(entry.ref))[:count]


def _order(ref: str) -> str:
    return sha1(ref.encode(), usedforsecurity=False).hexdigest()


def _slip(name: str, draw: random.Random) -> str:
    """Return a name with two letters of its longest word changed over, one dropped or one wrong."""
    word = max(name.split(), key=len)
    if len(word) < 4:
        return name
    at = draw.randrange(1, len(word) - 1)
    first, second = word[at], word[at + 1]
    slips: tuple[Callable[[], str], ...] = (
        lambda: second + first, lambda: second, lambda: draw.choice("aeiorst") + second,
    )  # fmt: skip
    return name.replace(word, word[:at] + draw.choice(slips)() + word[at + 2 :], 1)


def _spoonerism(given: str, family: str, others: list[str]) -> str:
    changed = (family[0].upper() + given[1:], *others, given[0].upper() + family[1:])
    return " ".join(changed)


def _words(name: str) -> list[str]:
    return re.findall(r"\w+", name.casefold())
