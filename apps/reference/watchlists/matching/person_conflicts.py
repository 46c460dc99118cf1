"""What in a person's name makes another person: a parent's name, a surname, a given name."""

from collections.abc import Iterator

from apps.reference.names.scripts.phonetics import ABJAD
from apps.reference.names.words.arabic_names import are_different_arabic_names
from apps.reference.names.words.word_classes import PERSON_NAMES
from apps.reference.watchlists.matching.alignment import Alignment, WeightedName

# father or mother of; as Arabic writes it without vowels too
_PARENTS = frozenset(["abu", "abou", "aboo", "abi", "umm", "oumm", "um", "bw", "abw", "aby", "am"])
_ARTICLES = frozenset({"al", "el"})
_GIVEN = """
adolfo adriana agustin alba alberto alejandra alejandro alfonso alfredo alicia alvaro amado ana
andrea andres angel angela antonio armando arturo beatriz bernardo blanca camilo carlos carmen
carolina cecilia cesar claudia cristian cristina daniel daniela david diana diego eduardo elena
elias emilio enrique ernesto esteban eugenio eva fabian fabio felipe felix fernando fidel
francisco gabriel gerardo german gilberto gloria gonzalo guadalupe guillermo gustavo hector hernan
homero hugo humberto ignacio isabel ismael ivan jaime javier jesus jhon joaquin joel jorge jose
juan juana julian julio laura leonardo leticia lorena lorenzo lucia luis luisa luz manuel marcela
marco marcos margarita maria mariana mario marta martha mauricio maximo mercedes miguel miriam
monica nelson nestor nicolas norma octavio olga omar orlando oscar pablo patricia paula pedro
rafael ramiro ramon raul rebeca ricardo roberto rocio rodolfo rodrigo rogelio rosa rosario ruben
samuel sandra santiago saul sergio silvia silvio sonia susana teresa tomas vicente victor victoria
vladimir wilson ximena yolanda
"""
_SPANISH_GIVEN = frozenset(_GIVEN.split())
_SURNAMES = """
aguilar alvarez avila cardenas castro chavez contreras cruz delgado diaz dominguez espinoza
fernandez flores garcia gomez gonzalez guerrero gutierrez guzman hernandez herrera jimenez juarez
lopez martinez medina mejia mendez mendoza molina morales moreno munoz navarro nunez ortega ortiz
perez quintero ramirez ramos reyes rios rivera rodriguez rojas romero ruiz salazar sanchez
sandoval soto suarez torres valencia vargas vasquez vazquez vega velez zambada
"""
_SPANISH_SURNAMES = frozenset(_SURNAMES.split())
_ENDINGS = ("ez", "illo", "ero", "era", "eda", "ales", "ares", "ejo", "osa", "oza", "uela", "iga")
_LEAST_NAMES = 3  # a given name and two surnames


def iter_person_conflicts(alignment: Alignment) -> Iterator[str]:
    """Yield why two names of persons that are much alike are rather of two people."""
    query, listed = alignment.query.tokens, alignment.listed.tokens
    # `Abu Ahmad` is another than `Ahmad`; where both have it, or a third name agrees, it is none.
    telling = [
        match
        for match in alignment.matches
        if any(not alignment.listed.tokens[j].particle for j in match.listed)
    ]
    here = _has_parent_word(
        alignment.query, alignment.query_left, {i for m in telling for i in m.query}
    )
    there = _has_parent_word(
        alignment.listed, alignment.listed_left, {j for m in telling for j in m.listed}
    )
    if here != there and len(telling) < _LEAST_NAMES:
        yield "parent"
    if _lacks_first_surname(alignment):
        yield "first_surname"
    pairs = ((query[m.query[0]], listed[m.listed[0]]) for m in alignment.matches)
    if any(are_different_arabic_names(one.text, other.text) for one, other in pairs):
        yield "other_given_name"


def _has_parent_word(form: WeightedName, left: tuple[int, ...], used: set[int]) -> bool:
    for i in left:
        if form.tokens[i].text.lstrip(ABJAD) not in _PARENTS:
            continue
        behind = i + 1
        # `Abu al-Walid`: the article belongs to the name behind it
        while behind < len(form.tokens) and form.tokens[behind].text.lstrip(ABJAD) in _ARTICLES:
            behind += 1
        if behind in used:
            return True
    return False


def _lacks_first_surname(alignment: Alignment) -> bool:
    """Return whether a Spanish name agrees by its second surname, and its first is missing.

    The second surname is the mother's, and often left out; the first is what a person is called.
    """
    query = {i for match in alignment.matches for i in match.query}
    listed = {j for match in alignment.matches for j in match.listed}
    return _omits_first_surname(alignment.query, query) or _omits_first_surname(
        alignment.listed, listed
    )


def _omits_first_surname(form: WeightedName, used: set[int]) -> bool:
    """Return whether of `given … first second` the second surname agrees and the first does not."""
    if len(form.tokens) < _LEAST_NAMES or any(token.particle for token in form.tokens[-2:]):
        return False
    given, first, second = (form.tokens[i].text for i in (0, -2, -1))
    names = {first, second}
    if (
        given not in _SPANISH_GIVEN
        or names & _SPANISH_GIVEN
        or not any(map(_is_spanish_surname, names))
    ):
        return False
    last = len(form.tokens) - 1
    # a word that everybody knows for a given name is a second one
    named = _is_spanish_surname(first) or not (first in PERSON_NAMES or len(first) == 1)
    return named and last in used and last - 1 not in used


def _is_spanish_surname(text: str) -> bool:
    return text in _SPANISH_SURNAMES or text.endswith(_ENDINGS)
