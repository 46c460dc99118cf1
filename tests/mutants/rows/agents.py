"""Agents that are known, limited or ended a little less than they should be."""

from tests.mutants.rows import Row

LEVELS = "tests/agents/test_trust_levels.py"
CREDENTIALS = "tests/agents/test_credentials.py"
SPENDING = "tests/agents/test_spend_limits.py"
OWNERS = "tests/agents/test_owner_proofs.py"
UNPROVED = "tests/agents/test_altered_agents.py"

ROWS: tuple[Row, ...] = (
    (
        "agents-half-an-owner",
        "apps/compliance/agents/rules/levels.py",
        "lambda o: bool(o.entity) and o.email",
        "lambda o: bool(o.entity) or o.email",
        "Half an owner is REGISTERED.",
        (f"{LEVELS}::test_a_level_follows_from_what_is_known",),
    ),
    (
        "agents-anybodys-lei",
        "apps/compliance/agents/owner_lookup.py",
        "agreement=score_name_agreement(entity, gleif_entity) if entity else None",
        "agreement=None",
        "Any LEI verifies an owner of another name.",
        (f"{LEVELS}::test_an_lei_that_does_not_count_leaves_the_level_below_and_says_why",),
    ),
    (
        "agents-name-a-point-short",
        "apps/compliance/agents/rules/levels.py",
        "o.agreement < SAME_ENTITY_FROM",
        "o.agreement <= SAME_ENTITY_FROM",
        "A name that agrees by just as much as is needed verifies nobody.",
        (f"{LEVELS}::test_a_level_follows_from_what_is_known",),
    ),
    (
        "agents-any-wallet-of-the-registry",
        "apps/compliance/agents/rules/owner_proofs.py",
        "return proof.held != proof.lei",
        "return False",
        "A wallet of another entity proves the owner of an agent.",
        (f"{OWNERS}::test_a_proof_is_refused_by_the_first_rule_that_holds",),
    ),
    (
        "agents-any-signature",
        "apps/compliance/agents/owner_proofs.py",
        'signer(words, proof["signature"]) == row.wallet',
        'signer(words, proof["signature"]) != ""',
        "The signature of any wallet proves the owner of an agent.",
        (f"{OWNERS}::test_what_does_not_hold_is_refused_and_says_why",),
    ),
    (
        "agents-day-never-full",
        "apps/compliance/agents/rules/spend_limits.py",
        "payment.spent + payment.amount > limits.daily_cap",
        "payment.amount > limits.daily_cap",
        "What was spent before does not count against a day.",
        (f"{SPENDING}::test_a_day_is_spent_to_the_last_millionth_and_no_further",),
    ),
    (
        "agents-revoked-lives-on",
        "apps/compliance/agents/credentials.py",
        "    if credential.agent.revoked:",
        "    if False:",
        "A credential of a revoked agent counts for the rest of its hour.",
        (f"{CREDENTIALS}::test_a_credential_of_a_revoked_agent_counts_no_more_at_once",),
    ),
    (
        "agents-one-for-all",
        "apps/compliance/agents/mandate_limits.py",
        'theirs = caller.kind == KIND and caller.ref != f"agent:{agent_id}"',
        "theirs = False",
        "An agent acts for any other.",
        (f"{CREDENTIALS}::test_no_agent_acts_for_another_and_learns_nothing",),
    ),
    (
        "agents-unlimited-hour",
        "apps/compliance/agents/credentials.py",
        "    if moment >= ends:",
        "    if moment > ends:",
        "A credential counts at its end.",
        (f"{CREDENTIALS}::test_a_credential_counts_up_to_its_end_and_no_longer",),
    ),
    (
        "agents-secret-kept-open",
        "apps/platform/api/idempotency.py",
        "        if self.secret:\n            answer = encrypt_text(",
        "        if False:\n            answer = encrypt_text(",
        "A secret is kept readable in the stored answer.",
        (f"{LEVELS}::test_a_repeat_gets_the_same_secret_and_the_database_has_it_nowhere",),
    ),
    (
        "agents-altered-rows-believed",
        "apps/compliance/agents/selectors/integrity_checked_agents.py",
        "    return verify_agent(row) if row else None\n",
        "    return row\n",
        "An agent whose revocation was undone is given a credential.",
        (f"{UNPROVED}::test_a_revocation_that_was_undone_gives_no_credential",),
    ),
    (
        "agents-credential-for-anybody",
        "apps/compliance/agents/credentials.py",
        "if credential.audience != audience:",
        "if False:",
        "The HMAC form counts for whom it was not issued.",
        (f"{UNPROVED}::test_a_credential_counts_for_its_own_audience_in_both_forms",),
    ),
    (
        "agents-revoked-pays-again",
        "apps/compliance/agents/services/agent_spends.py",
        "before = None if locked.revoked else _find_repeat(locked, wanted)",
        "before = _find_repeat(locked, wanted)",
        "A payment of a revoked agent is allowed again.",
        (f"{UNPROVED}::test_a_payment_that_was_counted_is_not_allowed_again_once_revoked",),
    ),
    (
        "agents-clock-may-differ-by-milliseconds",
        "apps/compliance/agents/credentials.py",
        "LEEWAY = 60_000",
        "LEEWAY = 60",
        "A credential is refused by a host whose clock is a second behind.",
        (
            "tests/agents/test_credentials.py::"
            "test_a_credential_counts_from_a_minute_before_it_was_issued_for_clocks_differ",
        ),
    ),
    (
        "agents-released-payment-counts-on",
        "apps/compliance/agents/services/agent_spends.py",
        "    counted = Spend.objects.filter(agent=agent, day=day, released_at=None)\n    total =",
        "    counted = Spend.objects.filter(agent=agent, day=day)\n    total =",
        "What was released counts against an agent's day.",
        ("tests/agents/test_spend_limits.py::test_what_is_released_is_there_again_on_its_own_day",),
    ),
)
