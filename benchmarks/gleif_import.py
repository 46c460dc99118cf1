"""How fast GLEIF files load and LEIs are found: `./run bench gleif_import [--rows N]`.

Builds level 1, relationship and exception files of the golden copy's shape (as many columns,
as many bytes per row) in a temporary folder, and loads them into a test database beside the
one of DATABASE_URL.
"""

import argparse
import csv
import logging
import os
import random
import resource
import statistics
import tempfile
import time
import zipfile
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import django

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
# a golden copy of level 1 has some 340 columns, most of them empty in most rows
FILLERS = 320
OWNED, EXEMPT = 0.16, 0.75  # shares of entities with a parent, and with an exception
LOOKUPS = 2000


def main() -> None:
    """Load, replace and change a copy, then look LEIs up; print rates and memory."""
    rows = _rows()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    place = tempfile.mkdtemp(prefix="bench-")
    os.environ.setdefault("VAR_DIR", place)
    django.setup()
    logging.disable(logging.INFO)
    from django.db import connection

    if connection.vendor == "sqlite":
        # the default is a database in memory, which would flatter
        connection.settings_dict["TEST"]["NAME"] = f"{place}/bench.sqlite3"
    name = connection.creation.create_test_db(verbosity=0)
    try:
        with tempfile.TemporaryDirectory() as folder:
            print(f"{connection.vendor}, {rows:,} entities", flush=True)
            _measure(Path(folder), rows)
    finally:
        connection.creation.destroy_test_db(name, verbosity=0)


def _rows() -> int:
    parser = argparse.ArgumentParser(prog="./run bench gleif_import", description=__doc__)
    parser.add_argument("--rows", type=int, default=200_000)
    return parser.parse_args().rows


def _measure(folder: Path, rows: int) -> None:
    codes = list(_codes(rows))
    first = _records(folder / "20261118-0800-lei2.csv", codes, "Before")
    size = first.stat().st_size
    print(f"level 1 file: {size / 1e6:,.0f} MB, {size / rows:,.0f} bytes a row", flush=True)
    _load("level 1, first copy", first)
    _load("relationships", _relations(folder / "20261118-0800-rr.csv", codes))
    _load("exceptions", _exceptions(folder / "20261118-0800-repex.csv", codes))
    again = _records(folder / "20261119-0800-lei2.csv", codes, "After")
    _load("level 1, zipped, replacing", _zipped(again))
    some = random.Random(1).sample(codes, max(1, rows // 20))
    _load("level 1, delta of 5 %", _records(folder / "20261120-0800-last-day.csv", some, "New"))
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"peak memory of the process: {memory:,.0f} MB", flush=True)
    _find(codes)


def _load(what: str, path: Path) -> None:
    from apps.reference.lei.services import file_imports

    begun = time.perf_counter()
    file = file_imports.import_golden_copy(order=file_imports.ImportOrder(path), clock=lambda: NOW)
    seconds = time.perf_counter() - begun
    print(f"{what}: {file.rows:,} rows in {seconds:.1f} s, {file.rows / seconds:,.0f} rows/s")


def _find(codes: list[str]) -> None:
    from apps.reference.lei.services import lookups

    sought = random.Random(2).sample(codes, min(LOOKUPS, len(codes)))
    for lei in sought:
        lookups.mark_lei_used(lei=lei, now=NOW)
    _time("lookup", sought, lambda lei: lookups.look_up_lei(lei=lei, now=NOW, ask=False))
    _time(
        "chain, deep",
        sought,
        lambda lei: lookups.load_owner_chain(lei=lei, now=NOW, deep=True, ask=False),
    )


def _time(what: str, leis: list[str], call: Callable[[str], object]) -> None:
    spent = []
    for lei in leis:
        begun = time.perf_counter()
        call(lei)
        spent.append((time.perf_counter() - begun) * 1000)
    cuts = statistics.quantiles(spent, n=100)
    print(f"{what}: p50 {cuts[49]:.2f} ms, p99 {cuts[98]:.2f} ms", flush=True)


# --- files --------------------------------------------------------------------------


def _codes(count: int) -> Iterator[str]:
    from stdnum.iso7064.mod_97_10 import calc_check_digits as check_digits

    chance = random.Random(7)
    letters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    for number in range(count):
        stem = "".join(chance.choices(letters, k=10)) + f"{number:08d}"
        yield stem + check_digits(stem)


def _records(path: Path, codes: list[str], word: str) -> Path:
    named = ("LEI", "Entity.LegalName", "Entity.LegalAddress.Country")
    named += ("Entity.LegalJurisdiction", "Entity.EntityCategory", "Entity.EntityStatus")
    named += ("Registration.RegistrationStatus", "Registration.NextRenewalDate")
    named += ("Registration.ManagingLOU", "Entity.OtherEntityNames.OtherEntityName.1")
    named += ("Entity.OtherEntityNames.OtherEntityName.1.type",)
    columns = [*named, *(f"Entity.Filler.{number}" for number in range(FILLERS))]
    filler = ["Some Street 12, Building C"] * 6 + [""] * (FILLERS - 6)
    with path.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream, quoting=csv.QUOTE_ALL)
        writer.writerow(columns)
        for number, lei in enumerate(codes):
            name = f"{word} Company Número {number} Gesellschaft mit beschränkter Haftung"
            known = [lei, name, "DE", "DE-BY", "GENERAL", "ACTIVE", "ISSUED"]
            known += ["2027-03-01T00:00:00Z", "5493001KJTIIGC8Y1R12"]
            other = [f"Old {name}", "PREVIOUS_LEGAL_NAME"] if number % 5 == 0 else ["", ""]
            writer.writerow(known + other + filler)
    return path


def _relations(path: Path, codes: list[str]) -> Path:
    """Give a share of the entities a direct and an ultimate parent, in trees of several levels."""
    chance = random.Random(3)
    parts = ("StartNode.NodeID", "EndNode.NodeID", "RelationshipType", "RelationshipStatus")
    with path.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream, quoting=csv.QUOTE_ALL)
        writer.writerow([f"Relationship.{part}" for part in parts])
        for number in range(1, int(len(codes) * OWNED)):
            # parents come before their children, so that no circle arises
            above, top = codes[chance.randrange(number)], codes[chance.randrange(number)]
            writer.writerow([codes[number], above, "IS_DIRECTLY_CONSOLIDATED_BY", "ACTIVE"])
            writer.writerow([codes[number], top, "IS_ULTIMATELY_CONSOLIDATED_BY", "ACTIVE"])
    return path


def _exceptions(path: Path, codes: list[str]) -> Path:
    kinds = ("DIRECT", "ULTIMATE")
    with path.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream, quoting=csv.QUOTE_ALL)
        writer.writerow(["LEI", "Exception.Category", "Exception.Reason.1"])
        for lei in codes[int(len(codes) * (1 - EXEMPT)) :]:
            for kind in kinds:
                category = f"{kind}_ACCOUNTING_CONSOLIDATION_PARENT"
                writer.writerow([lei, category, "NATURAL_PERSONS"])
    return path


def _zipped(path: Path) -> Path:
    target = path.with_name(f"{path.name}.zip")
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        archive.write(path, path.name)
    return target


if __name__ == "__main__":
    main()
