"""./run simulate [--seed N | --seeds A-B] [--steps M] [--bug NAME] [--bugs] [--digests]

Runs seeds of the simulation, and tells for each that breaks how it is run again. Ends with 1 when
one broke (with --bugs: when a bug was not found).
"""

import argparse
import atexit
import os
import shutil
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
KEPT = Path(os.environ.get("VAR_DIR") or ROOT / "var")


def main() -> int:
    """Run what was asked for."""
    namespace = _asked()
    if os.environ.get("PYTHONHASHSEED") != "0":  # sets of texts have one order in a replay
        os.environ["PYTHONHASHSEED"] = "0"
        os.execv(sys.executable, [sys.executable, "-m", "tests.simulation", *sys.argv[1:]])
    world = _world()
    from tests.simulation import bugs, seed_report

    if unknown := set(namespace.bug or ()) - set(bugs.BUGS):
        print(f"{', '.join(sorted(unknown))} is no bug; there are: {', '.join(bugs.BUGS)}")
        return 2
    named = namespace.bug[0] if namespace.bug else ""
    if namespace.bugs:
        return seed_report.bugs(world, most=namespace.most, names=bugs.chosen(namespace.bug))
    with bugs.planted(named):
        return seed_report.seeds(world, namespace.seeds, asked=seed_report.Asked(
            namespace.steps, named, namespace.verbose, namespace.digests))  # fmt: skip


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="./run simulate", description=__doc__)
    parser.add_argument("--seed", dest="seeds", type=_range, help="one seed")
    parser.add_argument("--seeds", type=_range, default=range(1, 21), help="A-B,C (1-20)")
    parser.add_argument("--steps", type=int, default=160, help="steps of a seed (160)")
    parser.add_argument("--bug", action="append", help="with this deliberate bug")
    parser.add_argument("--bugs", action="store_true", help="find each deliberate bug")
    parser.add_argument("--most", type=int, default=200, help="seeds for one bug (200)")
    parser.add_argument("--verbose", action="store_true", help="print the trace of what broke")
    parser.add_argument("--digests", action="store_true", help="print the digest of each seed")
    return parser.parse_args()


def _range(text: str) -> Sequence[int]:
    found: list[int] = []
    for part in text.split(","):
        first, _, last = part.partition("-")
        found += range(int(first), int(last or first) + 1)
    return found


def _world() -> Any:
    """Return a world in a folder of its own, made from the template."""
    from tests.simulation import template

    made = template.made(KEPT)
    folder = Path(tempfile.mkdtemp(prefix="simulation-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    shutil.copytree(made, folder, dirs_exist_ok=True)
    (folder / "static").mkdir()
    os.environ |= template.FIXED | {"VAR_DIR": str(folder), "DATABASE_URL": "sqlite://"}
    os.environ.pop("DJANGO_ENV", None)
    import logging

    import django

    django.setup()
    logging.disable(logging.CRITICAL)  # of faults that are meant to be
    from tests.simulation.world import World

    return World(folder / template.NAME)


if __name__ == "__main__":
    sys.exit(main())
