"""Kinds of what people's names leave out, add or share: initials, middle names, holders, kin."""

from itertools import product

from tests.names.kinds import Kind
from tests.names.kinds.people import TONGUES, family, given, people
from tests.names.kinds.writing import whole

_PARTICLES = {
    "van": "Johannes Berghuis, Saskia Dijkstra, Pieter Hoogland, Femke Loon, Bram Mierlo",
    "van der": "Maarten Heijden, Lotte Linden, Sander Meulen, Anouk Veen, Ruben Zwaag",
    "von": "Albrecht Hohenfels, Clemens Thurnau, Dorothea Rabenau, Leopold Stauffen, Ulrike Trotha",
    "de": "Thierry Villefort, Amélie Rosnay, Gérard Montbrun, Béatriz Alencastro, Joaquín Vergara",
    "de la": "Beatriz Fuente, Hernán Serna, Yolanda Vega, Marcelo Torre, Ximena Barca",
    "di": "Alessia Fiore, Corrado Salvo, Nunzia Carlo, Tommaso Vaio, Ilaria Lauro",
    "del": "Paloma Castillo, Ramiro Bosque, Fiorella Piero, Germán Olmo, Chiara Vecchio",
    "da": "Rafaela Costeira, Nuno Gama, Tiago Cunhal, Leonor Rocheta, Duarte Silveira",
    "dos": "Wagner Anjos, Patrícia Reis, Everton Passos, Luana Prazeres, Márcio Montes",
    "al": "Faisal Otaibi, Noura Mansoori, Sultan Dhaheri, Maitha Suwaidi, Rakan Harthy",
}
_NEAR_GIVEN = """
Mario Maria, Carlo Carla, Daniel Daniela, Francis Frances, Paul Paula, Martin Martina, Adrian
Adriana, Roberto Roberta, Claudio Claudia, Stefan Stefanie, Gabriel Gabriela, Michael Michaela,
Julian Juliana, Fernando Fernanda, Alessandro Alessandra, Leslie Lesley, Jean Jeanne, Marin Marina,
Erik Erika, Simon Simone, Andre Andrea, Emil Emilia, Marcel Marcela, Patrick Patricia, Oliver
Olivia, Antonio Antonia, Luis Luisa, Victor Victoria, Valentin Valentina, Christian Christina
"""
_JUNK = """
-|--|.|...|?|x|X|J|Mr|Mrs|Dr.|Ms|N/A|n/a|none|null|NULL|unknown|test|TBD|???|***|/|\\|0|1|123|00000|
12345678|DE89370400440532013000|'; DROP TABLE--|<script>|%00|{}|[]|()|&|&amp;|a|aa|AAAA|zzzzzzzz|
asdfgh|qwertz|xxxxxx|invoice|payment|ref|rent|salary|Ltd|GmbH|AG|Inc|S.A.|LLC|the|and|of|de|van|
von|al|+|#|@|1=1|or 1=1|select *|😀|🙂🙃|№|€|$$$|\t|\u200b|\u3000|·|—|_|~|==|!|:)|lol|foo|bar
"""


def _initialled(one: str, other: str, n: int) -> str:
    ways = (f"{one[0]} {other}", f"{one[0]}. {other}", f"{other} {one[0]}", f"{one[0]}.{other}")
    return (*ways, f"Mr {one[0]} {other}")[n % 5]


def _three(step: int) -> list[tuple[str, str, str]]:
    """Return people with two given names each."""
    return [
        (given(t)[n], given(t)[(n + step) % 20], family(t)[(n + 2 * step) % 20])
        for t in TONGUES
        for n in range(20)
    ]


def _joint() -> list[tuple[str, str]]:
    """Return one of two holders, and both, joined in the ways in which banks join them."""
    joint = []
    ways = ("{a} {x} & {b} {y}", "{a} {x} / {b} {y}", "{a} {x} and {b} {y}", "{a} {x} or {b} {y}")
    ways += ("{a} {x}/{b} {y}", "{a} {x} und {b} {y}", "{a} & {b} {x}", "{a} and {b} {x}")
    for n, (a, x) in enumerate(people(160, shift=5)):
        b, y = people(160, shift=9)[(n + 7) % 160]
        way = ways[n % len(ways)]
        shared = "{y}" not in way
        told = way.format(a=a, x=x, b=b, y=y)
        joint.append((f"{a} {x}" if n % 3 or shared else f"{b} {y}", told))
    return joint


def _no_holder() -> list[tuple[str, str]]:
    both = [told for _one, told in _joint()]
    return [(f"{a} {x}", both[n]) for n, (a, x) in enumerate(people(160, shift=11))]


def _particled(joined: bool) -> list[tuple[str, str]]:
    found = []
    for particle, listed in _PARTICLES.items():
        for name in listed.split(", "):
            one, other = name.split()
            told = f"{one} {particle} {other}"
            run = particle.replace(" ", "")
            if joined:
                found += [
                    (f"{one} {run.title()}{other}", told),
                    (told.title(), told),
                    (f"{one} {run.upper()} {other}".upper(), told),
                ]
            else:
                found += [(name, told), (told, name), (name.upper(), told)]
    return found


_PEOPLE = people()


def _other_given() -> list[tuple[str, str]]:
    other_given = []
    for step, t, n in product((1, 4), TONGUES, range(16)):
        last = family(t)[(n + step) % 20]
        other_given.append((f"{given(t)[(n + 2 + step) % 20]} {last}", f"{given(t)[n]} {last}"))
    return other_given


def _other_family() -> list[tuple[str, str]]:
    other_family = []
    for step, t, n in product((1, 5), TONGUES, range(16)):
        first = given(t)[n]
        other_family.append(
            (f"{first} {family(t)[(n + step) % 20]}", f"{first} {family(t)[(n + 9) % 20]}")
        )
    return other_family


_NEAR = [pair.split() for pair in " ".join(_NEAR_GIVEN.split()).split(", ")]


KINDS = (
    Kind("R06", "one of the joint holders", "MATCH", "", tuple(_joint())),
    Kind("R06n", "none of the joint holders", "NO", "", tuple(_no_holder())),
    Kind(
        "R07", "initial and family name", "CLOSE", "",
        tuple((_initialled(a, b, n), f"{a} {b}") for n, (a, b) in enumerate(people(160, 2))),
    ),
    Kind(
        "R07n", "another initial", "NO", "CLOSE",
        tuple(
            (_initialled("BHQXWKZ"[n % 7] if a[0] not in "BHQXWKZ" else "V", b, n), f"{a} {b}")
            for n, (a, b) in enumerate(people(160, 4))
        ),
    ),
    Kind(
        "R08", "middle name left out or added", "CLOSE", "MATCH",
        (
            *((f"{a} {c}", f"{a} {b} {c}") for a, b, c in _three(3)),
            *((f"{a} {b} {c}", f"{a} {c}") for a, b, c in _three(7)[:60]),
        ),
    ),
    Kind(
        "R13", "one part of a double family name", "CLOSE", "NO",
        tuple(
            pair
            for t in TONGUES
            for n in range(11)
            for first, one, two in [(given(t)[n], family(t)[n + 1], family(t)[(n + 8) % 20])]
            for pair in (
                (f"{first} {one}", f"{first} {one}-{two}"),
                (f"{first} {two}", f"{first} {one}-{two}"),
                (f"{first} {one}-{two}", f"{first} {two}"),
            )
        ),
    ),
    Kind("R14", "particle joined or in capitals", "MATCH", "CLOSE", tuple(_particled(True))),
    Kind("R14b", "particle left out or added", "CLOSE", "MATCH", tuple(_particled(False))),
    Kind("R22", "same family name, another given name", "NO", "", tuple(_other_given())),
    Kind("R23", "same given name, another family name", "NO", "", tuple(_other_family())),
    Kind(
        "R24", "nothing in common", "NO", "",
        tuple(zip(whole(_PEOPLE), whole(people(160, 9))[37:] + whole(people(37, 9)), strict=True)),
    ),
    Kind(
        "R31", "nothing that is a name", "NO", "",
        tuple(
            (junk, whole(_PEOPLE)[n + shift])
            for shift in (0, 71)
            for n, junk in enumerate(_JUNK.replace("\n", "").split("|"))
        ),
    ),
    Kind(
        "R35", "given names of a man and a woman that are nearly one", "CLOSE", "NO",
        tuple(
            (f"{pair[n % 2]} {last}", f"{pair[1 - n % 2]} {last}")
            for pair, (n, last) in product(_NEAR, enumerate(family("en")[:5]))
        ),
    ),
    Kind(
        "R36", "the given name of one is the family name of the other", "NO", "",
        tuple(
            pair
            for n, (a, b) in enumerate(people(80, 6))
            for first in [given(TONGUES[n % 5])[(n + 5) % 20]]
            for pair in ((f"{a} {first}", f"{first} {b}"), (f"{first} {b}", f"Ariadne {first}"))
        ),
    ),
)  # fmt: skip
