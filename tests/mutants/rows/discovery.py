"""What machines read about a service."""

from tests.mutants.rows import Row

ROWS: tuple[Row, ...] = (
    (
        "discovery-plugin-without-a-key",
        "apps/entry/discovery/plugin_manifest.py",
        "if all(access.open for access in accesses):",
        "if any(access.open for access in accesses):",
        "A plugin is told to call what asks for a key.",
        (
            "tests/discovery/test_documents.py::"
            "test_services_whose_keys_no_plugin_can_send_have_none",
        ),
    ),
    (
        "discovery-array-without-fields",
        "apps/entry/discovery/schema_text.py",
        'schema = schema["items"]',
        "schema = {}",
        "Of an answer that is an array nobody learns what is in it.",
        (
            "tests/discovery/test_documents.py::"
            "test_a_part_has_every_field_of_the_document_and_no_other",
        ),
    ),
    (
        "discovery-card-signed-with-its-payments-left-out",
        "apps/entry/discovery/cards.py",
        "signature = sign_detached(canonical_json(card), typ=",
        "signature = sign_detached(canonical_json({**card, 'list_skills': []}), typ=",
        "Skills of a card can be altered by whoever passes it on.",
        ("tests/discovery/test_cards.py::test_a_card_is_signed_by_a_published_key",),
    ),
    (
        "discovery-tool-without-its-endpoint",
        "apps/entry/discovery/callable_operations.py",
        "    return operations_by_name[name]",
        "    return operations_by_name.get(name)",
        "A tool whose endpoint went away is passed over, and nobody hears of it.",
        (
            "tests/discovery/test_registry.py::"
            "test_a_tool_without_its_endpoint_is_never_passed_over",
        ),
    ),
    (
        "discovery-address-of-a-caller-believed",
        "apps/access/keys/client_address.py",
        'return address if good else ""',
        "return address",
        "Anybody claims any address by a header, and no rate of an address holds.",
        ("tests/access/test_relayed_address.py",),
    ),
    (
        "discovery-id-that-leads-elsewhere",
        "apps/entry/discovery/tools/api_client.py",
        "[A-Za-z0-9][A-Za-z0-9._~:-]{0,199}",
        "[A-Za-z0-9./?#-]{0,199}",
        "An argument of a tool reaches another address than that of its endpoint.",
        ("tests/discovery/test_tool_calls.py::test_arguments_cannot_reach_another_address",),
    ),
    (
        "discovery-payment-of-the-connection-stands-first",
        "apps/entry/discovery/tools/server.py",
        ("if name not in PAYMENT_HEADERS.values()\n        } | paid"),
        "} if origin_headers else paid",
        "A payment of the call is passed over for one of the connection.",
        (
            "tests/discovery/test_tool_calls.py::"
            "test_the_payment_of_a_call_stands_before_one_of_the_connection",
        ),
    ),
    (
        "discovery-credential-stays-behind",
        "apps/entry/discovery/tools/server.py",
        '    "X-Agent-Credential",\n',
        "",
        "An agent settles by a tool as nobody, and no mandate holds.",
        ("tests/discovery/test_tool_mandates.py",),
    ),
)
