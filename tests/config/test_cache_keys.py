"""What a process remembers without a bound is keyed by our own code, never by what callers send."""

import ast
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

# functions that remember every text they were given, and why these are few
OWN_TEXTS = {
    "apps/access/keys/middleware.py:_map_guarded_pages": "urlconfs and prefixes of services",
    "apps/backoffice/staff/forms_awaiting_proof.py:get_proof_need": "names of addresses",
    "apps/entry/discovery/callable_operations.py:_load_operation": "services and their operations",
    "apps/payments/payments/pain001/structure/checker.py:element_type": "types of tables.json",
    "apps/platform/common/staticfiles.py:_content_digest": "files of the project",
    "apps/platform/db/compiled_statements.py:_insert_if_absent_sql": "columns of models",
    "apps/platform/db/compiled_statements.py:_upsert_sql": "columns of models",
    "apps/platform/db/compiled_queries.py:_find_field": "columns of models",
    "apps/platform/db/compiled_queries.py:_columns_sql": "columns of models",
    "apps/platform/db/compiled_queries.py:_select_sql": "columns of models",
    "apps/platform/db/compiled_queries.py:_update_sql": "columns of models",
    "apps/platform/desk/site.py:_page_addresses": "pages of models",
    "apps/reference/countries/ambiguous_states.py:_towns_of_state": "states of a table",
    "apps/reference/countries/ambiguous_states.py:_zip_areas_of_state": "states of a table",
    "apps/reference/names/payee/han_readings.py:_parse_reading_table": "tables of the module",
}


def test_only_texts_of_our_own_are_remembered_without_a_bound() -> None:
    found = set()
    for path in [*ROOT.glob("apps/**/*.py"), *ROOT.glob("config/**/*.py")]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and _remembers_texts(node):
                found.add(f"{path.relative_to(ROOT)}:{node.name}")
    assert found == set(OWN_TEXTS), "give it lru_cache(maxsize=…), or say why its texts are few"


def _remembers_texts(function: ast.FunctionDef) -> bool:
    decorators = {ast.unparse(decorator) for decorator in function.decorator_list}
    if not any(
        text in ("cache", "functools.cache") or "maxsize=None" in text for text in decorators
    ):
        return False
    parameters = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
    return any(
        "str" in ast.unparse(parameter.annotation)
        for parameter in parameters
        if parameter.annotation
    )
