"""What a word does in a company's name: tells who it is, or only what kind of body, line or place.

The words are our own, in addition to the dictionary of `apps.reference.names.words.senses`.
"""

from functools import lru_cache
from typing import Literal

from apps.reference.names.field.word_tests import is_place_name
from apps.reference.names.words.everyday_words import TRADE_WORDS
from apps.reference.names.words.senses import find_word_senses
from apps.reference.names.words.word_classes import ARTICLES

Role = Literal["name", "line", "branch", "place", "generic", "kind", "number", "particle"]
"""`name` tells who it is; `line` what it does; `branch` that it is a part of a group, or holds one;
`place` where it works; `generic` and `kind` hardly anything."""

ROLE_WEIGHTS: dict[Role, float] = {
    "name": 1.0,
    "number": 0.5,
    "line": 0.4,
    "branch": 0.4,
    "place": 0.4,
    "generic": 0.3,
    "kind": 0.15,
    "particle": 0.05,
}
_KINDS = """
group gruppe groupe grupo gruppo gruppen groep grupa company companies co corporation corp firm
firma unternehmen unternehmensgruppe gesellschaft societe sociedad societa empresa compagnie
compania konzern concern house haus the
"""
_BRANCHES = """
holding holdings beteiligung beteiligungen beteiligungs beteiligungsgesellschaft management
verwaltung verwaltungs verwaltungsgesellschaft vermogensverwaltung fund funds fonds trust trustee
trustees nominee nominees foundation stiftung fondation fundacion fondazione pension pensions
capital ventures venture treasury finance financing financial finanz finanzierung leasing
reinsurance captive subsidiary division spv properties property immobilien realty real estate
estates immobiliare immobiliere grundstucks besitz vertrieb vertriebs sales distribution retail
wholesale service center shared employees staff social club sport academy institute school charity
relief pta ptfa ptsa alumni supporters forderverein elternbeirat elternverein amicale ampa
"""
_LINES = """
healthcare healthineers health care energy energie energia renewables power strom hydro solar wind
windpark solarpark logistik logistica logistique spedition transporte transports bau tiefbau
hochbau maschinenbau anlagenbau elektro elektronik electronics elektrotechnik sanitar heizung
werkzeug werkzeuge medizintechnik pharma arzneimittel chemie automobile automobil autohaus motor
motorcycles turbines aerospace defence defense systems rail mobility versand handel handels
handelsgesellschaft produktion produktions vermietung reisen touristik gastronomie hotellerie
backerei metzgerei fleischerei mobel tischlerei schreinerei dachdecker malerbetrieb gartenbau
landwirtschaft agrar agro agri farming brauerei weingut kellerei steuerberatung rechtsanwalte
unternehmensberatung beratung consult consultants consultancy advisers advisors advisory wealth
asset assets equity private securities brokerage bank banking banca banco banque sparkasse
volksbank versicherung versicherungen assurance assurances seguros assicurazioni insurance telecom
telecommunications telekom mobile broadband internet cloud cyber analytics intelligence robotics
semiconductor semiconductors biotech diagnostics therapeutics laboratories labs labor laboratory
optics optik instruments devices equipment machinery components metals metall stahl aluminium
glass glas holz papier druck verlag medien film music musik studios games casino resorts cruises
airlines airways airport flughafen railways bus taxi courier express parcel freight cargo lines
tankers ports terminal shipyard werft fishing seafood foods food nutrition beverages drinks
brewing breweries distillers wines coffee tea dairy meat poultry bakery confectionery tobacco
cosmetics beauty fashion apparel clothing footwear textile textiles jewellery watches furniture
homes home housing interiors kitchens gardens toys books stationery education university college
training recruitment personnel staffing security facility facilities cleaning waste recycling
water environmental environment cars trucks bikes cycles tyres parts tools fuels petroleum gas
coal mining minerals gold diamonds cement concrete bricks timber paints coatings polymers rubber
plastics packaging labels marketing advertising media communications events catering restaurants
pubs leisure entertainment sports fitness wellness dental veterinary medical clinic clinics
hospital hospitals surveyors solicitors notaries architects accountants tax legal law lawyers
audit auditors exchange clearing payments cards credit lending mortgage mortgages loans factoring
software data digital technology technologies tech telematics engineering construction building
builders contractors joinery plumbing heating roofing flooring decorators landscaping motors
automotive aviation shipping logistics transport haulage travel tourism tours publishing printing
photography design finanzamt amt stadt gemeinde landratsamt bezirksamt ministerium ministry
department city council borough commune ville ayuntamiento comune universitat universite
universidad hochschule schule kirche church verein praxis kanzlei apotheke pharmacy stadtwerke
werke revenue customs battery batterien
"""
_GENERIC = """
trading traders trade services solutions international internacional internationale internazionale
intl global world worldwide universal united general national federal central european enterprises
enterprise industries industrial industrie industria industriale industrielle partners partner
associates products supply supplies manufacturing manufacturers works development developments
projects project business commercial commerce ventures investments investment invest investimenti
inversiones investissements dienstleistungen dienstleistung dienstleistungs servicios servizi
verband association union alliance network systems system technik produkte brothers bros gebruder
sons sohne sohn fils hijos hermanos figli fratelli cie first one new
"""
_PLACES = """
deutschland deutsche deutscher deutsches german germany osterreich austria schweiz suisse svizzera
switzerland france francaise francais french frankreich espana espanola espanol spain italia
italiana italiano italian italy portugal portuguesa polska poland romania nederland netherlands
holland belgium belgique belgie luxembourg danmark denmark sverige sweden norge norway suomi
finland island ireland scotland wales england britain uk gb usa us america americas canada mexico
brasil brazil argentina chile colombia peru india china japan korea singapore malaysia indonesia
thailand vietnam australia zealand africa egypt kenya nigeria morocco maroc tunisie algerie turkey
turkiye israel uae emirates dubai qatar kuwait bahrain saudi russia rossiya ukraine kazakhstan
georgia armenia eu europe europa european asia pacific apac emea mena latam iberia iberica benelux
nordic nordics scandinavia baltic baltics balkan balkans mediterranean north south east west nord
sud ost northern southern eastern western london manchester birmingham leeds glasgow edinburgh
dublin belfast cardiff berlin hamburg munchen muenchen munich koln koeln cologne frankfurt
stuttgart dusseldorf duesseldorf leipzig dresden hannover nurnberg bremen wien vienna salzburg
graz zurich zuerich basel bern geneva geneve genf lausanne zug paris lyon marseille lille toulouse
nice bordeaux nantes strasbourg madrid barcelona valencia sevilla bilbao malaga lisboa lisbon
porto roma rome milano milan torino napoli bologna firenze venezia genova amsterdam rotterdam
utrecht eindhoven hague antwerp antwerpen brussels bruxelles brussel gent copenhagen kobenhavn
aarhus stockholm goteborg malmo oslo bergen helsinki tampere reykjavik warszawa warsaw krakow
gdansk wroclaw poznan praha prague brno bratislava budapest bucuresti bucharest sofia beograd
belgrade zagreb ljubljana athens athina istanbul ankara izmir moscow moskva kyiv kiev riga tallinn
vilnius york angeles chicago houston boston dallas miami seattle atlanta denver toronto montreal
vancouver delhi mumbai bangalore bengaluru chennai shanghai beijing shenzhen guangzhou hong kong
taipei tokyo osaka seoul sydney melbourne brisbane perth auckland johannesburg cairo lagos nairobi
casablanca bavaria bayern hessen sachsen saxony tirol bretagne normandie bourgogne lombardia
toscana sicilia catalunya catalonia andalucia galicia vlaanderen flanders midlands yorkshire
cornwall ulster texas california florida ontario quebec devon kent essex surrey norfolk
greatbritain unitedkingdom unitedstates unitedstatesofamerica
"""
_DEPARTMENTS = """
accounts payable receivable accounting department dept abteilung buchhaltung buchhaltungsabteilung
finanzbuchhaltung kreditorenbuchhaltung payroll lohnbuchhaltung einkauf purchasing procurement
billing invoicing comptabilite contabilidad contabilita tresorerie treasurer controller cfo ceo
director geschaftsfuhrung geschaftsleitung sekretariat secretary secretariat administration
reception mailroom empfang postfach poststelle boekhouding ekonomi kirjanpito ksiegowosc
bookkeeping legal hr personalabteilung manager team office
"""
DEPARTMENTS = frozenset(_DEPARTMENTS.split())
"""Who within a company gets a letter."""
_KIND_WORDS = frozenset(_KINDS.split())
_PLACE_WORDS = frozenset(_PLACES.split())
_BRANCH_WORDS = frozenset(_BRANCHES.split())
_GENERIC_WORDS = frozenset(_GENERIC.split())
_LINE_WORDS = frozenset(_LINES.split()) | TRADE_WORDS
_PARTICLES = ARTICLES | {"o", "und", "och", "og", "en", "et", "ja", "oraz", "i", "u", "w", "z"}
_BRANCH_SENSES = frozenset({"SYMBOL:HOLDING", "SYMBOL:FUND", "SYMBOL:TRUST", "SYMBOL:FDN"})


_CODES = frozenset(["gb", "uk", "usa", "uae", "eu"])
_OF_BUSINESS = ("kind", "generic", "branch", "line")
# what the last part of a long German or Dutch word says
_HEADS = (
    "verwaltung", "handel", "technik", "werke", "verlag", "gesellschaft", "versicherung", "praxis",
    "apotheke", "zentrum", "logistik", "beratung", "dienst", "dienste", "vertrieb", "reinigung",
    "erei", "betrieb", "genossenschaft", "stiftung", "verein", "verband", "anstalt", "kasse",
)  # fmt: skip
_LONG = 9


@lru_cache(maxsize=16384)
def role_of_word(word: str) -> Role:
    """Return what a folded word does in the name of a company."""
    if word.isdigit():
        return "number"
    if word in _PARTICLES:
        return "particle"
    listed: tuple[tuple[frozenset[str], Role], ...] = (
        (_KIND_WORDS, "kind"),
        (_GENERIC_WORDS, "generic"),
        (_BRANCH_WORDS, "branch"),
        (_PLACE_WORDS, "place"),
        (_LINE_WORDS, "line"),
    )
    # our own words before the dictionary, and in this order, since a few are in two of the lists
    for words, role in listed:
        if word in words:
            return role
    senses = find_word_senses(word)
    if senses & _BRANCH_SENSES:
        return "branch"
    kinds = {sense.partition(":")[0] for sense in senses}
    if "SYMBOL" in kinds:
        return "generic"
    if "LOC" in kinds or is_place_name(word):
        return "place"
    return "line" if "DOMAIN" in kinds else "name"


def is_compound_head(ending: str) -> bool:
    """Return whether the last part of a long word says what its bearer does (`…handel`)."""
    return ending.removeprefix("s") in _HEADS


def is_business_word(word: str) -> bool:
    """Return whether a word is hardly ever one of a person's name."""
    if word in _LINE_WORDS or word in _CODES or role_of_word(word) in _OF_BUSINESS:
        return True
    return len(word) >= _LONG and word.endswith(_HEADS)
