"""Who reads the stated LEI of a registration: those alone for whom it need not count.

Everybody else reads `counted_lei`: an LEI for which GLEIF has another name is nobody's to show.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

APPS = Path(__file__).parents[3] / "apps"
NAMES = frozenset({"row", "registration", "registered"})
# what they do with the LEI as it was stated
MAY_READ = {
    ("aml/screening/wallet_sanctions.py", "_screen_wallet"): "holds it against the lists",
    ("agents/owner_proofs.py", "_build_proof_facts"): "is told beside it that it waits",
    ("payees/vop/selectors.py", "_compare_submitted_lei"): "tells that it is under review",
    ("payees/vop/selectors.py", "_look_up_lei_record"): "once it counts",
    ("payees/vop/selectors.py", "_current_lei_status"): "once it counts",
    ("esg/selectors.py", "gather_wallet_score"): "once it counts",
    ("settlement/check_judgements.py", "load_esg_score"): "once it counts",
    ("settlement/check_judgements.py", "_load_own_score"): "once it counts",
    (
        "travelrule/directory/selectors.py",
        "select_verified_entries",
    ): "a row of the directory, no registration",
}


def is_registration(module: str) -> bool:
    """Tell whether a module is of registrations themselves, and not of payee checks."""
    return module.startswith("payees/") and "vop" not in module and "payee_check" not in module


def readers() -> Iterator[tuple[str, str]]:
    """Yield module and function of each reader of `.lei` of a registration."""
    for path in sorted(APPS.rglob("*.py")):
        module = "/".join(path.relative_to(APPS).parts[1:])  # below its group
        text = path.read_text()
        if is_registration(module) or "apps.compliance.payees" not in text:
            continue
        for function in ast.walk(ast.parse(text)):
            if not isinstance(function, ast.FunctionDef):
                continue
            for node in ast.walk(function):
                of = node.value if isinstance(node, ast.Attribute) and node.attr == "lei" else None
                named = of.id if isinstance(of, ast.Name) else getattr(of, "attr", "")
                if of is not None and named in NAMES:
                    yield module, function.name


def test_nobody_else_reads_the_stated_lei_of_a_registration() -> None:
    found = set(readers())
    assert found - MAY_READ.keys() == set()
    assert MAY_READ.keys() - found == set(), "take off what does not read it any more"
