"""Transfers on chains that count though they must not, or are lost."""

from tests.mutants.rows import Row

RULES = "tests/chain/test_rules.py"
REORGS = "tests/chain/test_reorgs.py"
NODES = "tests/chain/test_nodes.py"

ROWS: tuple[Row, ...] = (
    (
        "chain-hash-decides-between-owners",
        "apps/chain/rules/matching.py",
        "    if len({one.owner for one in timely}) == 1:\n",
        "    if True:\n",
        "Whoever names another's transaction first takes its transfer.",
        (f"{RULES}::test_a_transfer_is_one_orders_or_nobodys",),
    ),
    (
        "chain-mark-alone-is-deep",
        "apps/chain/rules/depth.py",
        "confirmations(block=block, heads=heads) >= row.depth and ",
        "",
        "A node that calls everything finalized makes a transfer final at once.",
        (f"{RULES}::test_a_mark_alone_is_not_depth",),
    ),
    (
        "chain-block-is-not-held",
        "apps/chain/holding.py",
        "if stands is None or stands.hash != found.block_hash:",
        "if stands is None:",
        "A transfer counts on in a block that the chain replaced.",
        (f"{REORGS}::test_a_reorg_deeper_than_final_is_never_silent",),
    ),
    (
        "chain-replaced-past-is-not-read",
        "apps/chain/ranges.py",
        "if stands is not None and stands.hash == cursor.block_hash:",
        "if stands is not None:",
        "A transfer in a block that replaced one that was read is lost.",
        (f"{REORGS}::test_the_deep_past_is_read_again_on_another_chain",),
    ),
    (
        "chain-first-node-is-believed",
        "apps/chain/nodes.py",
        "if any(one != first for one in others):",
        "if False:",
        "One node that lies is enough, though two are named.",
        (f"{NODES}::test_a_node_that_says_otherwise_than_the_other_confirms_nothing",),
    ),
)
