"""Where calls may go, and how long they may take."""

from tests.mutants.rows import Row

ROWS: tuple[Row, ...] = (
    (
        "upstreams-extra-ranges-are-public",
        "apps/platform/upstreams/addresses.py",
        (
            "return plain.is_global and not plain.is_multicast and not is_in_ranges(plain, "
            "_NOT_PUBLIC)"
        ),
        "return plain.is_global and not plain.is_multicast",
        "A metadata server on a public address can be called.",
        ("tests/upstreams/test_addresses.py",),
    ),
    (
        "upstreams-mapped-addresses",
        "apps/platform/upstreams/addresses.py",
        'return getattr(address, "ipv4_mapped", None) or address',
        "return address",
        "What may be called at 10.0.0.1 may not at ::ffff:10.0.0.1, or the other way round.",
        (
            "tests/upstreams/test_addresses.py"
            "::test_named_ranges_are_reached_anyhow_and_the_world_by_https",
        ),
    ),
    (
        "upstreams-first-good-address-opens-all",
        "apps/platform/upstreams/connections.py",
        "            if objects:\n",
        "            if objects and not allowed:\n",
        "A name with one public and one private address reaches the private one.",
        ("tests/upstreams/test_connections.py::test_each_address_of_a_name_is_judged_for_itself",),
    ),
    (
        "upstreams-callers-addresses-in-private",
        "apps/platform/upstreams/http.py",
        "ranges = () if self.public_only else settings.UPSTREAM_PRIVATE_RANGES",
        "ranges = settings.UPSTREAM_PRIVATE_RANGES",
        "An address that a caller gave reaches the ranges of our own upstreams.",
        (
            "tests/upstreams/test_connections.py"
            "::test_an_address_that_callers_give_never_reaches_the_ranges_of_our_own_upstreams",
        ),
    ),
    (
        "upstreams-everybody-tries-again",
        "apps/platform/upstreams/breaker.py",
        "return not won",
        "return False",
        "All workers at once try an upstream that was left alone.",
        (
            "tests/upstreams/test_breaker.py"
            "::test_who_comes_between_the_look_and_the_move_of_another_probes_alone",
        ),
    ),
    (
        "upstreams-all-workers-wait",
        "apps/platform/upstreams/slots.py",
        "range(max(1, settings.WEB_WORKERS // 2))",
        "range(max(1, settings.WEB_WORKERS))",
        "A slow upstream holds every worker.",
        ("tests/upstreams/test_slots.py::test_half_of_the_workers_may_wait",),
    ),
    (
        "upstreams-unpacked-without-bound",
        "apps/platform/upstreams/body_stream.py",
        "else _limit_size(_decompress_gzip(sent), largest)",
        "else _decompress_gzip(sent)",
        "A small packed body fills the disk.",
        (
            "tests/upstreams/test_http.py"
            "::test_more_than_the_largest_size_is_refused_while_it_comes",
        ),
    ),
    (
        "upstreams-credentials-in-an-address",
        "apps/platform/upstreams/addresses.py",
        "if parts.username is not None or parts.password is not None:",
        "if parts.password is not None:",
        "An address carries a user name past who reads it.",
        ("tests/upstreams/test_connections.py::test_an_address_carries_no_user_and_no_password",),
    ),
)
