"""Spell out public bodies, associations and firms abbreviated as usual in their country. Pure.

The rows are our own, from usage: the full form, folded, and after the bar its abbreviations. An
abbreviation is spelt out only if the other name has the words themselves; one that often means
another word is doubtful even then.
"""

from functools import cache

from apps.reference.names.payee.normalization import fold_words, transliterate_to_latin
from apps.reference.names.payee.rules.fields import (
    ABBREVIATED,
    ABBREVIATED_IN_REGISTERS,
    AMBIGUOUS,
    INITIALS,
)
from apps.reference.names.payee.values import AppliedRule
from apps.reference.names.scripts.text_cleaning import normalize_letters

# registers themselves write either form of these
_REGISTERED = """
ayuntamiento | ayto aytmo ayunt; bostadsrattsforeningen bostadsrattsforening | brf;
etablissements etablissement | ets etabs etab; kreissparkasse | ksk; stadtsparkasse | ssk;
volkshochschule | vhs
"""
# letters that stand for other words as often: `St` is a saint first
_AMBIGUOUS = """
stichting | st; spoldzielnia | sp; landkreis | lk
"""
_WORDS = """
universitat | uni univ; stichting | sticht; przedsiebiorstwo | przeds;
spoldzielnia | spoldz; landkreis | lkr;
universite | univ; universidad | uni univ; universidade | univ; university | uni univ;
universita | uni univ; universiteit | uni univ; universitet | univ; department | dept dpt;
departement | dept dpt; departamento | dpto depto dto; gemeinde | gde gem; gemeente | gem;
commune | cne; municipality | mun; municipio | mun mpio; prefeitura | pref; prefecture | pref;
ministerio ministere ministero ministry ministerium | min; provincia | prov; province | prov;
hospital | hosp; istituto | ist; instituto institut institute | inst;
associazione | ass assoc; asociacion | asoc; association | assoc assn ass; associacao | assoc;
fondazione | fond; fundacion | fund fdn; foundation | fdn; cooperativa | coop;
parrocchia | parr; farmacia | fcia; sociedad | soc; societe | ste soc; societa | soc;
gesellschaft | ges; genossenschaft | gen; kirchengemeinde | kgm; gymnasium | gym;
escuela | esc; school | sch; college | coll; oberfinanzdirektion | ofd; sportverein | sv;
turnverein | tv; fussballclub | fc; forsamling | fors; kommune | komm; housing | hsg;
wspolnota | wsp
"""
_INITIALS = """
comunidad de propietarios | cp cdp cdad prop; wohnungseigentumergemeinschaft | weg;
vereniging van eigenaars | vve; vereniging van eigenaren | vve; hausverwaltung | hv;
direction regionale des finances publiques | drfip;
direction departementale des finances publiques | ddfip;
caisse d allocations familiales | caf; caisse dallocations familiales | caf;
caisse primaire d assurance maladie | cpam; caisse primaire dassurance maladie | cpam;
centre communal d action sociale | ccas; centre communal daction sociale | ccas;
centre hospitalier universitaire | chu;
centre hospitalier | ch; syndicat des coproprietaires | sdc;
agencia estatal de administracion tributaria | aeat;
tesoreria general de la seguridad social | tgss;
istituto nazionale della previdenza sociale | inps;
azienda sanitaria locale | asl; azienda unita sanitaria locale | ausl;
allgemeine ortskrankenkasse | aok; deutsche rentenversicherung | drv;
bundesagentur fur arbeit | ba; freiwillige feuerwehr | ff; technische universitat | tu;
technische hochschule | th; fachhochschule | fh; deutsches rotes kreuz | drk;
international business machines | ibm; hm revenue and customs | hmrc;
his majestys revenue and customs | hmrc; national health service | nhs;
driver and vehicle licensing agency | dvla; internal revenue service | irs;
wspolnota mieszkaniowa | wm; spoldzielnia mieszkaniowa | sm; zaklad ubezpieczen spolecznych | zus;
bayerische motoren werke | bmw; general electric | ge; british telecommunications | bt;
young mens christian association | ymca; young womens christian association | ywca
"""


@cache
def _abbreviation_rows() -> tuple[tuple[tuple[str, ...], frozenset[str], AppliedRule], ...]:
    """Return the full forms, their abbreviations, and the rule for each."""
    found = []
    for rows, rule in (
        (_REGISTERED, ABBREVIATED_IN_REGISTERS),
        (_WORDS, ABBREVIATED),
        (_AMBIGUOUS, AMBIGUOUS),
        (_INITIALS, INITIALS),
    ):
        for row in rows.split(";"):
            whole, _, short = row.partition("|")
            # initials stand for all the words of a row, an abbreviation for any one of them
            names = [whole.split()] if rule is INITIALS else [[one] for one in whole.split()]
            found += [(tuple(name), frozenset(short.split()), rule) for name in names]
    return tuple(found)


@cache
def _known_abbreviations() -> frozenset[str]:
    return frozenset(one for _whole, short, _rule in _abbreviation_rows() for one in short)


def expand_abbreviations(text: str, other: str) -> tuple[str, AppliedRule] | None:
    """Return a text with an abbreviation as the other name spells it out, and the rule for it.

    None where it has none that the other spells out.
    """
    ours = [
        word.plain
        for word in fold_words(transliterate_to_latin(normalize_letters(text), person=False))
    ]
    if _known_abbreviations().isdisjoint(ours):
        return None
    theirs = [
        word.plain
        for word in fold_words(transliterate_to_latin(normalize_letters(other), person=False))
    ]
    rules = []
    for whole, short, rule in _abbreviation_rows():
        size = len(whole)
        if short.isdisjoint(ours) or not any(
            tuple(theirs[at : at + size]) == whole for at in range(len(theirs) - size + 1)
        ):
            continue
        ours = [part for word in ours for part in (whole if word in short else (word,))]
        rules.append(rule)
    if not rules:
        return None
    # one rule is charged: the dearest of those that were needed
    return " ".join(ours), max(rules, key=lambda rule: rule.cost)
