"""Words that introduce another name within a name field, in the languages of payments.

Phrases are in lower case; abbreviations by their letters (`dba` covers d/b/a, D.B.A. and dba; with
two letters only the form with a slash counts). Words that are also parts of names
(`ex`, `via`) count only where they open a bracket or follow a comma or semicolon.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from apps.reference.names.field.phrasebook import (
    Phrase,
    Phrasebook,
    build_phrase,
    iter_phrase_starts,
)
from apps.reference.names.field.word_tests import (
    collect_first_words,
    may_contain_phrase,
    parse_phrases,
)

Introduced = Literal["FORMER", "ALIAS", "TRADING_AS", "CARE_OF", "ON_BEHALF"]


@dataclass(frozen=True, slots=True)
class Marker:
    """How a kind of name is introduced: anywhere, as an abbreviation, or at an opening only."""

    kind: Introduced
    phrases: str
    letters: str = ""
    opening: str = ""


@dataclass(frozen=True, slots=True)
class Introduction:
    """The position of a phrase that introduces a name, and the kind of the name."""

    start: int
    end: int
    kind: str


MARKERS = (
    Marker(
        "FORMER",
        """
        formerly known as, formerly called, formerly named, formerly trading as, formerly,
        previously known as, previously named, previously, prior name, former name, former names,
        old name, name changed from, renamed from, successor to, successor of, née, nee, born as,
        anciennement dénommée, anciennement dénommé, anciennement, précédemment, autrefois,
        ex-nom, ancien nom, nom de jeune fille,
        vormals, vormaliger name, ehemals, ehemalig, früher, frühere firma, geborene, geb.,
        anteriormente, antiguamente, antes llamada, antes llamado, antes denominada,
        antes denominado, antes conocida como, antes conocido como, denominación anterior,
        antiga denominação, antigamente, antes chamada, antes chamado, denominação anterior,
        già denominata, già denominato, precedentemente, in precedenza, ex denominazione,
        voorheen, voorheen genaamd, eertijds, tidligere, tidigare, aiemmin, entinen,
        dawniej, poprzednio, uprzednio, wcześniej, dříve, původně, korábban, fost, fosta, anterior,
        eski adı, eski adıyla, eski ünvanı, eski unvanı, önceki adı, önceki ünvanı,
        dahulu, dahulu bernama, dahulu dikenal sebagai, dahulunya dikenali sebagai, sebelumnya,
        ранее, ранее именовалось, ранее известный как, ранее известная как, прежнее наименование,
        прежнее название, бывшее наименование, бывший, бывшая, бывшее, бывш., до переименования,
        раніше, колишня назва, колишній, колишня, попередня назва, преди, по-рано,
        πρώην, πρώην επωνυμία, سابقا, سابقاً, المعروف سابقا باسم, الاسم السابق, سابق,
        曾用名, 原名, 旧名, 前称, 前身, 舊名, 前稱, 旧社名, 旧称, 旧商号, 舊稱, 구명칭, 옛이름
        """,
        "fka nka pka",
        "ex, ex., former, antes, antiga, antigo, già, vorm., früh., eski, fd, f.d., dh, (ex), "
        "экс, б., קודם, 旧, 原, 前, 구, 전, 옛",
    ),
    Marker(
        "ALIAS",
        """
        also known as, also called, also named, also written, known as, now known as, better known,
        alternatively, alternative name, other name, other names, otherwise known as, nickname,
        alias, aliases, formally known as, now called, now named, renamed to, name changed to,
        également connu sous le nom de, également connue sous le nom de, connu sous le nom de,
        connue sous le nom de, dit aussi, surnommé, surnommée, aussi appelé, désormais,
        auch bekannt als, bekannt als, auch genannt, genannt, jetzt, nunmehr,
        también conocido como, también conocida como, conocido como, conocida como, apodado,
        ahora denominada, ahora denominado, também conhecido como, também conhecida como,
        conhecido como, conhecida como, vulgo, anche noto come, noto come, conosciuto come,
        soprannominato, detto anche, ook bekend als, ook genoemd, også kendt som, även känd som,
        tunnetaan myös nimellä, znany jako, znana jako, znany też jako, zwany, obecnie,
        známý jako, más néven, cunoscut ca, diğer adı, diğer adıyla, nam-ı diğer, namıdiğer,
        olarak da bilinen, yeni adı, dikenal sebagai, dikenali sebagai, disebut juga,
        также известный как, также известная как, также известен как, также известна как,
        известный как, известная как, он же, она же, по прозвищу, прозвище, ныне,
        також відомий як, також відома як, відомий як, відома як, він же, вона ж,
        известен като, γνωστός ως, γνωστή ως, άλλως, المعروف باسم, المعروف بـ, المعروف ب, الملقب,
        المكنى, ويعرف أيضا باسم, المشهور, معروف به, مشهور به, ملقب به, उर्फ, עرف, הידוע בשם,
        又名, 别名, 別名, 亦称, 亦稱, 也称, 化名, 又称, 通称, 일명, 별명, 가명
        """,
        "aka nka",
        "alias, dit, dite, detto, vel, or, also, now, urf, called",
    ),
    Marker(
        "TRADING_AS",
        """
        trading as, trading under the name, trading under, trades as, trade name, trading name,
        trading style, doing business as, doing business under, operating as, operating under,
        business name, brand name, under the name of, under the name, under the firm of,
        faisant affaires sous, faisant affaire sous, exerçant sous le nom de,
        exerçant sous l'enseigne, exploitant sous, nom commercial, sous le nom commercial,
        sous l'enseigne, à l'enseigne, enseigne,
        handelnd unter, handelnd als, firmierend unter, firmierend als, geschäftsbezeichnung,
        unter der firma, unter der marke, nombre comercial, denominación comercial,
        bajo el nombre de, bajo el nombre comercial, que opera como, operando como,
        nome fantasia, nome comercial, nome de fantasia, operando sob o nome, sob a denominação,
        denominazione commerciale, nome commerciale, insegna, che opera come, operante come,
        handelend onder de naam, handelend onder, handelsnaam, driver virksomhed som, binavn,
        bifirma, aputoiminimi, działający jako, działający pod nazwą, pod firmą, podnikající jako,
        ticari unvanı, ticari ünvanı, ticari adı, unvanıyla, ünvanıyla, nama dagang,
        yang beroperasi sebagai, menjalankan perniagaan sebagai, действующий под именем,
        торговая марка, торговое наименование, коммерческое обозначение, торгова марка,
        διακριτικός τίτλος, الاسم التجاري, تعمل تحت اسم, باسم تجاري, نام تجاری,
        商号, 字号, 商標名, 屋号, 店名, 상호, 영업명
        """,
        "dba tdba",
        "brand, marke, marca, marque",
    ),
    Marker(
        "CARE_OF",
        """
        care of, in care of, attention of, attention, attn, attn., for the attention of,
        aux bons soins de, aux soins de, à l'attention de, à l’attention de, chez,
        zu händen von, zu händen, zu handen, z.hd., z. hd., z.h., per adresse, bei frau, bei herrn,
        a la atención de, al cuidado de, atención, a cargo de, aos cuidados de, a/c de,
        all'attenzione di, alla cortese attenzione di, alla cortese attenzione, presso,
        ter attentie van, t.a.v., per adres, do rąk własnych, do rąk, k rukám, kézbesítendő,
        eliyle, vasıtasıyla, dikkatine, u.p., untuk perhatian, вниманию, до востребования для,
        через посредство, до уваги, на руки, υπόψη, بعناية, عناية, لعناية, بواسطة, توسط,
        代收, 轉交, 转交, 收转, 気付, 様方, 전교
        """,
        "",
        "via, through, per, v/, bei, u zn",
    ),
    Marker(
        "ON_BEHALF",
        """
        for the account of, for account of, for the account, on behalf of, on account of,
        to the order of, payable to, pay to, payment to, payments to, pmt to, repayment to,
        refund to, repayment from, payment from, transfer from,
        received from, donation from, remittance from, transfer to, remittance to, credit to,
        in the name of, for the benefit of, for benefit of, for further credit to,
        for further credit, further credit to, for final credit to, in favour of, in favor of,
        by order of, by order and for account of, in trust for, as trustee of, as trustee for,
        trustee of, trustee for, as nominee for, nominee of, as agent for, as agent of, agent for,
        acting for, acting on behalf of, represented by, power of attorney for, guardian of,
        executor of, estate of, ultimate beneficiary, ultimate debtor, ultimate creditor,
        beneficial owner, pour le compte de, au nom de, au profit de, en faveur de, d'ordre de,
        représenté par, représentée par, par ordre de, mandataire de, bénéficiaire effectif,
        im auftrag von, im auftrag der, im auftrag des, im auftrag, im namen von, im namen der,
        für rechnung von, für rechnung, auf rechnung von, zugunsten von, zu gunsten von,
        zugunsten, vertreten durch, treuhänderisch für, wirtschaftlich berechtigter,
        por cuenta de, por cuenta y orden de, a nombre de, en nombre de, a favor de, a beneficio de,
        en representación de, por orden de, por conta de, por conta e ordem de, em nome de,
        em favor de, em benefício de, por ordem de, per conto di, per ordine di, a nome di,
        in nome di, a favore di, a beneficio di, in nome e per conto di, namens, in opdracht van,
        voor rekening van, ten behoeve van, ten gunste van, på vegne af, på vegne av,
        på uppdrag av,         för räkning, til fordel for, puolesta, w imieniu,
        na rzecz, na zlecenie, w imieniu i na rzecz,
        ve prospěch, jménem, jménom, nevében, javára, în numele, în favoarea, adına, hesabına,
        namına, lehine, yararına, atas nama, bagi pihak, untuk dan atas nama, kepentingan,
        от имени, от лица, по поручению, в пользу, за счет, за счёт, в интересах, в лице,
        від імені, на користь, за дорученням, за рахунок, от името на, в полза на, за сметка на,
        για λογαριασμό, εκ μέρους, υπέρ, نيابة عن, بالنيابة عن, لحساب, لصالح, لفائدة, باسم,
        به نمایندگی از, به نام, از طرف, 代表, 代理,
        受託人, 受托人, 为了, 名義, 代わりに, 대리인, 대신하여
        """,
        "obo fbo ffc itf poa",
        "for, pour, für, para, per conto, dla, для, benef, beneficiary, beneficiaire",
    ),
)

_STROKES = {
    "FORMER": ("d/h", "p/k/a", "f/n/a"),
    "ALIAS": ("n/k/a",),
    "TRADING_AS": ("t/a", "t/as", "h/o", "o/a", "nom. com."),
    "CARE_OF": ("c/o", "c/-", "p/a", "u/p", "r/o"),
    "ON_BEHALF": ("b/o", "o/b", "p/c", "i/f/o", "a/b/o", "q.q.", "i.a.", "i. a."),
}
_BLANK, _COMMA = re.compile(r"[\s:.,-]*"), re.compile(r",\s*")
_START, _END = r"(?<![^\W_])", r"(?![^\W_])"


def _build_phrase_pattern(phrase: str) -> str:
    if re.search("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]", phrase):
        return re.escape(phrase)  # written without spaces between words
    words = r"\s+".join(re.escape(word) for word in phrase.split())
    return rf"{_START}{words}{'' if phrase[-1] in '-.' else _END}"


def _build_marker_phrases(marker: Marker, *, opening: bool) -> list[Phrase]:
    """Return what introduces a kind of name, the longest first."""
    table = f"{marker.phrases}, {marker.opening}" if opening else marker.phrases
    kind = marker.kind
    phrases = [
        build_phrase(group=kind, written=phrase, pattern=_build_phrase_pattern(phrase))
        for phrase in parse_phrases(table)
    ]
    for letters in marker.letters.split():
        phrases.append(
            Phrase(
                kind,
                _START + r"[./\\\s]?\s?".join(letters) + _END + r"\.?",
                # `D.B.A.` is three words, the first of which is a letter
                frozenset([letters, letters[0]]),
            )
        )
    for one in _STROKES[kind]:
        stroke = _build_phrase_pattern(one).replace("/", r"\s?[/\\]\s?")
        phrases.append(build_phrase(group=kind, written=one, pattern=stroke))
    # an alternation takes the first that fits: `also known as` before `also`
    return sorted(phrases, key=lambda one: len(one.pattern), reverse=True)


@lru_cache(maxsize=1)
def marker_first_words() -> frozenset[str]:
    """Return the words with which an introduction begins; of abbreviations also first letters."""
    listed = [
        phrase for row in MARKERS for phrase in parse_phrases(f"{row.phrases}, {row.opening}")
    ]
    letters = " ".join(row.letters for row in MARKERS).split()
    strokes = [one for row in _STROKES.values() for one in row]
    return collect_first_words([*listed, *letters, *strokes]) | {letter[0] for letter in letters}


@lru_cache(maxsize=2)
def _marker_phrasebook(*, opening: bool) -> Phrasebook:
    """Return what introduces a name anywhere, or at an opening; the group is the kind."""
    every = (
        marker_phrase
        for marker in MARKERS
        for marker_phrase in _build_marker_phrases(marker, opening=opening)
    )
    return Phrasebook(every, behind=r"[\s:.,-]*")


def match_opening_marker(text: str) -> Introduction | None:
    """Return what introduces a name at the very beginning of a text."""
    return _match_opening_marker_at(text, _BLANK.match(text), 0)


def _match_opening_marker_at(
    text: str, blank: "re.Match[str] | None", start: int
) -> Introduction | None:
    if blank is None or not (found := _marker_phrasebook(opening=True).match(text, blank.end())):
        return None
    return Introduction(start, found.end(), found.lastgroup or "")


def find_first_marker(text: str) -> Introduction | None:
    """Return the first that introduces a name in a text."""
    if not may_contain_phrase(text, marker_first_words()):
        return None
    if found := match_opening_marker(text):
        return found
    commas = {blank.end(): blank for blank in _COMMA.finditer(text)}
    # behind a comma the words count that elsewhere are parts of names (`ex`, `via`)
    for place in iter_phrase_starts(text):
        comma = commas.get(place)
        if comma and (found := _match_opening_marker_at(text, comma, comma.start())):
            return found
        if introduced := _marker_phrasebook(opening=False).match(text, place):
            return Introduction(place, introduced.end(), introduced.lastgroup or "")
    return None
