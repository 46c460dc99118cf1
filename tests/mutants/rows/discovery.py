"""What machines read about a service."""

from tests.mutants.rows import Row

ROWS: tuple[Row, ...] = (
    (
        "discovery-plugin-without-a-key",
        "apps/discovery/pages.py",
        "free = all(row.access.open for row in rows(service))",
        "free = any(row.access.open for row in rows(service))",
        "A plugin is told to call what asks for a key.",
        ("tests/discovery/test_documents.py::test_services_that_ask_for_keys_have_no_plugin",),
    ),
    (
        "discovery-array-without-fields",
        "apps/discovery/schemas.py",
        'schema = schema["items"]',
        "schema = {}",
        "Of an answer that is an array nobody learns what is in it.",
        ("tests/discovery/test_documents.py::"
         "test_a_part_has_every_field_of_the_document_and_no_other",),
    ),
)  # fmt: skip
