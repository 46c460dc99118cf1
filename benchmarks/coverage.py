"""What of the specification is served and tested: `./run bench coverage [--list] [--json OUT]`.

`report/specification.csv` names its endpoints, its rules and its boundaries by section. An endpoint
counts when it is served and a test names its address, or, in the tests of its service, the end of
it. A rule or a boundary counts when the test that shows it stands in the tree. Beside them the
rules in the code that cite the specification: each counts when a test names its code or its
reference. Whether these tests pass is what `./run test` says.
"""

import argparse
import ast
import csv
import json
import os
import re
import tempfile
from collections import defaultdict
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
TABLE = ROOT / "benchmarks" / "report" / "specification.csv"
KINDS = ("endpoint", "rule", "boundary")
# whose tests may name an address by its end alone: `ask("reliability")`
HOMES = {
    "stability": ("tests/stability/",),
    "esg": ("tests/esg/oracle/",),
    "intelligence": ("tests/intelligence/",),
    "forecast": ("tests/forecast/",),
    "reports": ("tests/reports/",),
}
_SAMPLE = "0x" + "1" * 40  # what stands in an address for a name in it
_ROW = re.compile(r"^\| `([^`]+)` \| `([123] §[^`]*)` \|", flags=re.M)


def main() -> None:
    """Print the shares and what is missing, and write them where that is asked."""
    parser = argparse.ArgumentParser(prog="./run bench coverage", description=__doc__)
    parser.add_argument("--list", action="store_true", help="print every row and what shows it")
    parser.add_argument("--json", type=Path, metavar="OUT", help="write the figures there too")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        _set_up(folder)
        found = measured()
    for kind, one in found["kinds"].items():
        print(f"{kind}: {one['shown']} of {one['of']}")
        for row in one["rows"]:
            if options.list or not row["shown"]:
                print(f"  {row['place']} {row['what']}: {row['by'] or row['lacks']}")
    if options.json:
        options.json.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


def _set_up(folder: str) -> None:
    """Set Django up, with a folder of its own for what it makes up."""
    os.environ["VAR_DIR"] = folder
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()


def measured() -> dict[str, Any]:
    """Return, by kind, every row of the specification with what shows it, or what lacks."""
    kinds: dict[str, list[dict[str, Any]]] = {kind: [] for kind in KINDS}
    for row in table():
        by, lacks = endpoint(row["what"]) if row["kind"] == "endpoint" else tested(row["test"])
        kinds[row["kind"]].append(_row(row["place"], row["what"], by, lacks))
    kinds["rule of the code"] = list(coded())
    return {
        "kinds": {
            kind: {"of": len(rows), "shown": sum(one["shown"] for one in rows), "rows": rows}
            for kind, rows in kinds.items()
        }
    }


def _row(place: str, what: str, by: str, lacks: str) -> dict[str, Any]:
    return {"place": place, "what": what, "shown": not lacks, "by": by, "lacks": lacks}


def table() -> list[dict[str, str]]:
    """Return the rows of specification.csv: place, kind, what, test."""
    with TABLE.open(encoding="utf-8", newline="") as source:
        return list(csv.DictReader(source))


def endpoint(what: str) -> tuple[str, str]:
    """Return which test names `METHOD /address`, or what it lacks."""
    method, address = what.split(" ")
    if not served(method, address):
        return "", "not served"
    whole, end = patterns(address)
    homes = HOMES.get(address.split("/")[1], ())
    for name, text in tests().items():
        if whole.search(text) or (name.startswith(homes) and end.search(text)):
            return name, ""
    return "", "no test names its address"


def served(method: str, address: str) -> bool:
    """Tell whether an address, `:name` in it standing for anything, takes a method."""
    from django.urls import Resolver404, resolve

    from apps.platform.api.routers import operations_of_service

    place = re.sub(r":\w+", _SAMPLE, address)
    try:
        resolve(place)
    except Resolver404:
        return False
    service, _, path = address.lstrip("/").partition("/")
    known = {(row.method, _holes(row.path)) for row in operations_of_service(service)}
    methods = {one for one, where in known if where == _holes(path)}
    # documents for machines are plain views, which are read
    return method in methods if methods else method == "GET"


def _holes(path: str) -> str:
    return re.sub(r"<\w+:\w+>|:\w+", "*", path)


def patterns(address: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return what finds an address in a test of anything, and its end in one of its service.

    Where it has a name anything may stand; the service may be a name that a test fills in.
    """
    _, service, rest = address.split("/", 2)
    told = r"[^\"'\s/?]+".join(re.escape(part) for part in re.split(r":\w+", rest))
    last = rest.removeprefix("v1/").removeprefix("intelligence/").removeprefix("forecast/")
    last = re.escape(last.removeprefix("report/").split(":")[0].rstrip("/"))
    whole = re.compile(rf"/(?:{service}|\{{\w+\}})/{told}(?![\w/-])")
    return whole, re.compile(rf"[\"'/}}]{last}[\"'/?]")


@cache
def tests() -> dict[str, str]:
    """Return the text of every file of tests, by its place."""
    return {
        str(path.relative_to(ROOT)): path.read_text(encoding="utf-8")
        for path in sorted((ROOT / "tests").rglob("*.py"))
        if "node_modules" not in path.parts
    }


@cache
def names(path: str) -> frozenset[str]:
    """Return the names of the test functions in a file; none where there is no such file."""
    text = tests().get(path)
    tree = ast.walk(ast.parse(text)) if text else ()
    return frozenset(node.name for node in tree if isinstance(node, ast.FunctionDef))


def tested(test: str) -> tuple[str, str]:
    """Return the test that shows a rule, or what it lacks."""
    path, _, name = test.partition("::")
    if not test:
        return "", "no test shows it by itself"
    return (test, "") if name in names(path) else ("", f"{test} is no test")


def coded() -> list[dict[str, Any]]:
    """Return the rules of the code that cite the specification, each once."""
    cited: dict[str, str] = {}
    for code, ref in _ROW.findall((ROOT / "docs" / "rules.md").read_text(encoding="utf-8")):
        cited.setdefault(code, ref)
    where: dict[str, str] = defaultdict(str)
    for name, text in tests().items():
        for code, ref in cited.items():
            if code not in where and (f'"{code}"' in text or f'"{ref}"' in text):
                where[code] = name
    return [
        _row(ref, code, where.get(code, ""), "" if code in where else "no test names it")
        for code, ref in sorted(cited.items())
    ]


if __name__ == "__main__":
    main()
