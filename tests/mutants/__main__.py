"""./run mutants [NAME…]: put each deliberate bug into a copy of the tree and run its tests.

Names are of mutants or of rooms (`review`); none means all. `--from NAME` goes on where a run
was stopped. Ends with 1 when a bug was missed, with 2 when one could not be tried.
"""

import argparse
import re
import signal
import sys
from collections import Counter

from tests.mutants.mutant_runner import BROKEN, CAUGHT, MISSED, MOST_AT_ONCE, Verdict, run
from tests.mutants.table import Mutant, chosen, mutants


def main() -> int:
    """Run what was asked for and print each verdict, then the share that was caught."""
    namespace = _asked()
    if namespace.list:
        for mutant in mutants():
            print(f"{mutant.name:44} {mutant.breaks}")
        return 0
    try:
        selected = chosen(namespace.names, namespace.since)
    except KeyError as error:
        print(f"{error.args[0]} is no mutant and no room; `--list` names them", file=sys.stderr)
        return 2
    # asked to end, it must still end what it started
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    first = "" if namespace.sound else "; first their tests without any"
    print(f"{len(selected)} mutants{first} …", flush=True)
    verdicts = run(
        selected,
        seconds=namespace.timeout,
        at_once=namespace.at_once,
        report=_Progress(len(selected)),
        sound=namespace.sound,
    )
    return _summary(verdicts)


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="./run mutants", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="mutants or rooms; none: all")
    parser.add_argument("--from", dest="since", default="", metavar="NAME", help="begin there")
    parser.add_argument("--list", action="store_true", help="name the mutants and what they break")
    parser.add_argument(
        "--sound", action="store_true", help="the tests pass without bugs: do not try that first"
    )
    parser.add_argument("--timeout", type=float, default=300, help="seconds for one mutant (300)")
    parser.add_argument(
        "--at-once", type=int, default=MOST_AT_ONCE, choices=range(1, MOST_AT_ONCE + 1)
    )
    return parser.parse_args()


class _Progress:
    """Prints a line for each mutant, and the end of the run where it was not caught."""

    def __init__(self, total: int) -> None:
        self.total, self.done = total, 0

    def __call__(self, verdict: Verdict) -> None:
        self.done += 1
        mutant: Mutant = verdict.mutant
        print(
            f"{self.done:>3}/{self.total} {verdict.word:7} {mutant.name:44} "
            f"{verdict.seconds:5.0f} s",
            flush=True,
        )
        if verdict.word != CAUGHT:
            print(f"    {mutant.breaks}")
        for node in re.findall(r"^FAILED (\S+)", verdict.said, re.MULTILINE):
            print(f"    {node}", flush=True)
        if verdict.word == BROKEN:
            print("".join(f"    | {line}\n" for line in verdict.said.splitlines()), end="")


def _summary(verdicts: list[Verdict]) -> int:
    words = Counter(verdict.word for verdict in verdicts)
    rooms = sorted({verdict.mutant.app for verdict in verdicts})
    for room in rooms:
        here = Counter(v.word for v in verdicts if v.mutant.app == room)
        print(f"{room:12} {here[CAUGHT]} of {here.total()}")
    told = words[CAUGHT] + words[MISSED]
    share = f"{100 * words[CAUGHT] / told:.1f} %" if told else "none"
    print(f"caught {words[CAUGHT]}, missed {words[MISSED]}, broken {words[BROKEN]}: {share}")
    for verdict in sorted(verdicts, key=lambda one: one.mutant.name):
        if verdict.word != CAUGHT:
            print(f"{verdict.word}: {verdict.mutant.name}")
    if words[MISSED]:
        return 1
    return 2 if words[BROKEN] or not verdicts else 0


if __name__ == "__main__":
    sys.exit(main())
