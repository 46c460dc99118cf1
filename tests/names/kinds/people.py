"""Names of invented people, by where they might come from."""

from itertools import islice

_GIVEN = {
    "en": (
        "Oliver Harriet Gregory Beatrix Stuart Philippa Malcolm Imogen Duncan Rosalind Clive "
        "Tabitha Neville Cordelia Rupert Winifred Alistair Gemma Barnaby Felicity"
    ),
    "de": (
        "Wolfgang Sieglinde Ulrich Hannelore Dietmar Annegret Eckhard Roswitha Volker Ingeborg "
        "Burkhard Edeltraud Gernot Waltraud Holger Brunhilde Detlef Mechthild Torsten Elfriede"
    ),
    "es": (
        "Rodrigo Consuelo Baltasar Remedios Gonzalo Milagros Evaristo Pilar Leandro Rosaura "
        "Fermin Asuncion Damian Visitacion Hilario Encarna Cipriano Nieves Anselmo Begona"
    ),
    "fr": (
        "Thibault Solange Gaston Clotilde Baptiste Mireille Lucien Odile Fabrice Ghislaine "
        "Armand Bernadette Quentin Josiane Etienne Capucine Gilles Oceane Yannick Delphine"
    ),
    "it": (
        "Ottavio Loredana Fiorenzo Graziella Ubaldo Ornella Salvatore Mirella Gaetano Rossana "
        "Ignazio Assunta Domenico Fulvia Raimondo Letizia Vincenzo Tiziana Eugenio Donatella"
    ),
}
_FAMILY = {
    "en": (
        "Ashworth Pemberton Hollis Cartwright Blackwood Fairclough Whitaker Thornbury Langley "
        "Prescott Hathaway Birtwistle Kingsley Merriweather Ramsbottom Sedgwick Wetherby "
        "Oakeshott Trevelyan Winstanley"
    ),
    "de": (
        "Brandstetter Hirschberg Kleinschmidt Lindemann Oberhauser Pfeiffer Rosenthal Steinbach "
        "Tannhuber Vogelsang Wiesner Zimmerer Ackermann Baumgart Dornbusch Eberhardt Falkenhayn "
        "Grossmann Holzapfel Jungbluth"
    ),
    "es": (
        "Zapatero Villalobos Quintana Olmedo Barrientos Carrasco Escudero Figueroa Gallardo "
        "Hurtado Izquierdo Lozano Manrique Navarrete Ochoa Palomares Redondo Sepulveda Tejada "
        "Urrutia"
    ),
    "fr": (
        "Beaumont Chevalier Delacroix Fontaine Giraudoux Lamartine Montclair Perrault Rochefort "
        "Sauvage Tremblay Vauquelin Bonnefoy Carpentier Dubreuil Escoffier Grandjean Lachance "
        "Marchand Poincare"
    ),
    "it": (
        "Bellandi Cavallaro Donatello Ferrante Giordano Lombardi Marchetti Nicolosi Orsini "
        "Pellegrino Quaranta Rinaldi Santoro Tagliaferri Ventresca Zanetti Aldobrandi Bevilacqua "
        "Castiglione Fontanarosa"
    ),
}


def given(tongue: str) -> list[str]:
    """Return given names of a tongue, of men and of women by turns."""
    return _GIVEN[tongue].split()


def family(tongue: str) -> list[str]:
    """Return family names of a tongue."""
    return _FAMILY[tongue].split()


TONGUES = tuple(_GIVEN)


def people(count: int = 160, shift: int = 0) -> list[tuple[str, str]]:
    """Return so many people as given and family name, others with another shift."""
    return list(islice(_people(shift), count))


def _people(shift):
    size = len(given("en"))
    for step in range(size):
        for tongue in TONGUES:
            for n in range(size):
                yield given(tongue)[n], family(tongue)[(n + step + shift) % size]
