"""Each table of the project says how it is proved, and what it says is so."""

from pathlib import Path

import pytest
from django.apps import apps

from apps.access.keys.integrity import verify_keys
from apps.platform.ledger.records import LedgerRecord, ledger_models
from apps.platform.ledger.table_proofs import (
    BESIDE,
    FORGED,
    GONE,
    PROJECTIONS,
    PROVED,
    UNCOMPARED,
    TableProof,
)
from apps.platform.management.commands.print_integrity import format_integrity_table

ROOT = Path(__file__).resolve().parents[2]
MODELS = {
    model._meta.label: model
    for model in apps.get_models(include_auto_created=True)
    if model._meta.managed and not model._meta.proxy and not issubclass(model, LedgerRecord)
}


def test_every_table_says_how_it_is_proved() -> None:
    named = [*PROVED, *BESIDE]
    assert len(named) == len(set(named)), "a table is named twice"
    assert set(MODELS) - set(named) == set(), "name these in table_proofs.py of their app"
    assert set(named) - set(MODELS) == set(), "these are no tables"


@pytest.mark.parametrize("label", sorted(PROVED))
def test_what_proves_a_table_is_run(label: str) -> None:
    proof = PROVED[label]
    if proof.ledger:
        assert proof.ledger in ledger_models()
        assert proof.compare in [found.compare for found in PROJECTIONS[proof.ledger]]
    else:
        columns = {field.name for field in MODELS[label]._meta.concrete_fields}
        assert columns & {"mac", "proof"}, "it carries no MAC"
        assert proof.where


@pytest.mark.parametrize("label", sorted(UNCOMPARED))
def test_what_nothing_compares_is_of_a_proved_table_and_says_why(label: str) -> None:
    columns = {field.name for field in MODELS[label]._meta.concrete_fields}
    named = [name for names, _ in UNCOMPARED[label] for name in names]
    assert label in PROVED and len(named) == len(set(named))
    assert set(named) <= columns | {GONE, FORGED}
    assert all(len(why) > 10 for _, why in UNCOMPARED[label])


def test_what_hangs_on_nothing_says_why() -> None:
    assert all(len(why) > 10 for why in BESIDE.values())


def test_a_proof_says_what_it_is_made_of() -> None:
    assert TableProof("moves money", "keys", verify_keys, "and at a call").description == (
        "compared with the ledger `keys`, and at a call"
    )
    assert TableProof("moves money", where="before it counts").description == (
        "a MAC on each row, before it counts"
    )


def test_the_security_page_says_it() -> None:
    page = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
    shown = page.split("<!-- end of tables -->")[0].split("print_integrity`, checked by a test -->")
    assert shown[-1].strip() == format_integrity_table(), (
        "paste the output of: ./run manage print_integrity"
    )
