"""Listed names in disguise are screened: none that a human still reads is approved.

Needs a sandbox that runs (`./run`) with its sample lists; PORT and VAR_DIR say which, and
SCREEN_RATE_PER_MINUTE must allow two hundred screens.

    ./run attack disguised-names

Every name must be BLOCKED as it is listed, and none APPROVED in any disguise.
"""

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from tests.attacks.client import Target, target

SCREEN = "/compliance/compliance/screen"
LONGEST = 300  # letters of a name that a screen takes
ORGANISATIONS = (
    *("Lazarus Group", "Hizballah", "Al-Shabaab", "Boko Haram", "Korea Kwangson Banking Corp"),
    "Islamic Revolutionary Guard Corps",
)
PERSONS = ("Kim Jong Un", "Park Jin Hyok", "Mikhail Mishustin", "Vladimir Vladimirovich Putin")
ORDINARY = "Blue Heron Stationery Limited"
WORDS = "harbour orchid willow anchor copper lantern meadow saddle pepper cotton walnut silver"
MANY = f"{WORDS} basket candle ribbon timber"  # sixteen, as many as are compared
LOOK_ALIKES = str.maketrans("aeopcxyiTHKMBEACOPXs", "аеорсхуіТНКМВЕАСОРХѕ")  # Latin, Cyrillic
LEET = str.maketrans("aeiosztAEIOSZT", "43105274310527")
WIDE = {code: code + 0xFEE0 for code in range(0x21, 0x7F)}  # to full width


@dataclass(frozen=True, slots=True)
class Disguise:
    """How a name is written, or what is said beside it; `of` are the names that it suits."""

    title: str
    write: Callable[[str], str]
    fields: dict[str, Any] = field(default_factory=dict)
    of: tuple[str, ...] = ORGANISATIONS + PERSONS


DISGUISES = (
    Disguise("soft hyphens between letters", "\u00ad".join),
    Disguise("nothing of any width between letters", "\u200b".join),
    Disguise("spaces between letters", lambda name: " ".join(name.replace(" ", ""))),
    Disguise("full stops between letters", lambda name: ".".join(name.replace(" ", ""))),
    Disguise("no spaces", lambda name: name.replace(" ", "")),
    Disguise("every letter twice", lambda name: "".join(2 * one for one in name)),
    Disguise("full width", lambda name: name.translate(WIDE)),
    Disguise("look-alikes of Cyrillic", lambda name: name.translate(LOOK_ALIKES)),
    Disguise("digits for letters", lambda name: name.translate(LEET)),
    Disguise("signs for letters", lambda name: name.replace("a", "@").replace("s", "$")),
    Disguise("entities of HTML", lambda name: "".join(f"&#{ord(one)};" for one in name)),
    Disguise("codes of URLs", lambda name: "".join(f"%{ord(one):02x}" for one in name)),
    Disguise("tags inside", lambda name: f"{name[:3]}<i></i>{name[3:]}"),
    Disguise("sixteen other words before it", lambda name: f"{MANY} {name}"),
    Disguise("sixteen other words behind it", lambda name: f"{name} {MANY}"),
    Disguise("a few other words before it", lambda name: f"{' '.join(WORDS.split()[:8])} {name}"),
    Disguise("in care of", lambda name: f"Peter Smith c/o {name}"),
    Disguise("for the account of", lambda name: f"John Miller for the account of {name}"),
    Disguise("a second name", lambda name: f"John Miller; {name}"),
    Disguise("in brackets", lambda name: f"John Miller ({name})"),
    Disguise("a number behind it", lambda name: f"{name} 12345"),
    Disguise("a year joined to it", lambda name: f"{name}2024"),
    Disguise("what it is paid for", lambda name: f"{name} invoice 2024/01 payment for goods"),
    Disguise("said to be a person", str, {"individual": True}, ORGANISATIONS),
    Disguise("said to be from elsewhere", str, {"country": "CH"}),
)


def screen(on: Target, name: str, **fields: Any) -> str:
    """Return the decision on a name, or the status where there is none."""
    status, document = on.post(
        SCREEN, {"name": name, "amount": 100} | fields, **{"X-API-Key": on.keys["subscription"]}
    )
    return str(document.get("decision", f"status {status}"))


def find_faults(on: Target) -> Iterator[str]:
    """Yield names that are not blocked as they are listed, and disguises that are let through."""
    if (decision := screen(on, ORDINARY)) != "APPROVED":
        yield f"{ORDINARY}: {decision}, so that nothing is proved by what is not approved"
    for name in ORGANISATIONS + PERSONS:
        if (decision := screen(on, name)) != "BLOCKED":
            yield f"{name}: {decision} as it is listed"
    for disguise in DISGUISES:
        through = []
        for name in disguise.of:
            written = disguise.write(name)
            if len(written) > LONGEST:
                continue
            decision = screen(on, written, **disguise.fields)
            # one that is refused as no name is no payment either
            if decision not in ("BLOCKED", "FLAGGED", "status 400"):
                through.append(f"{name}: {decision}")
        print(f"{'FAULT' if through else 'held':6} {disguise.title}", flush=True)
        if through:
            yield f"{disguise.title}: {', '.join(through)}"


def main(arguments: list[str]) -> int:
    """Return 0 where no disguise is approved."""
    faults = list(find_faults(target()))
    for fault in faults:
        print(fault, file=sys.stderr)
    return 1 if faults else 0
