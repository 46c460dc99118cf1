"""GET /travel-rule/:paymentId/proof, the minute's signed root, and what holds the tree together."""

import contextlib
import io
import json
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection

from apps.payments.travelrule.models import TravelRecord, TreeNode, TreeRoot
from apps.payments.travelrule.proofs import merkle_tiles, roots
from apps.payments.travelrule.proofs.integrity import verify_tree
from apps.payments.travelrule.proofs.merkle import Frontier, compute_root, inclusion_path, leaf_hash
from apps.payments.travelrule.record_transition import record_transition
from apps.platform.common.clock import now
from apps.platform.crypto.signatures import is_signed_by_us, sign_statement
from apps.platform.db.append_only import trigger_names
from apps.platform.ledger import sealer
from apps.platform.ledger.models import Seal
from tests.api.endpoint_walk import key_client
from tests.conftest import NOON
from tests.travelrule.examiner import BAD, GOOD, UNREADABLE, Desk
from tests.travelrule.test_whole_export import EXPORT, whole

pytestmark = pytest.mark.django_db


def sealed(at: Any = None) -> None:
    """Seal what waits and sign the root, as the jobs do each minute."""
    sealer.seal_ledger(ledger="travel_rule", now=at or now())
    roots.sign_sealed_root("", at or now())


def test_a_record_is_proved_against_the_last_signed_root(
    recorded: Any,
    proof: Any,
    desk: Desk,
) -> None:
    payment, _ = recorded(tmsReference="P-1"), recorded(tmsReference="P-2")
    sealed()
    found = proof(payment)
    assert found["paymentId"] == payment and found["waiting"] == 0
    assert found["root"]["size"] == 2 and is_signed_by_us(found["root"])
    [event] = found["events"]
    assert (event["position"], len(event["path"])) == (1, 1)
    code, told = desk.verify(json.dumps(found).encode(), name="proof.json")
    assert code == GOOD, told


def test_paths_are_described_as_the_lists_that_they_are(
    recorded: Any, proof: Any, client: Any
) -> None:
    payment, _ = recorded(tmsReference="P-1"), recorded(tmsReference="P-2")
    sealed()
    found = proof(payment, since=1)
    schemas = client.get("/integration/openapi.json").json()["components"]["schemas"]
    for shape, paths in (
        ("SealedOut", found["events"]),
        ("ConsistencyOut", [found["consistency"]]),
    ):
        assert all(isinstance(node, str) for one in paths for node in one["path"])
        path = schemas[shape]["properties"]["path"]
        assert (path["type"], path["items"]["type"]) == ("array", "string")


def test_a_record_that_is_not_sealed_yet_waits(
    recorded: Any,
    proof: Any,
    desk: Desk,
) -> None:
    found = proof(recorded())
    assert (found["events"], found["waiting"]) == ([], 1)
    assert "root" not in found
    assert desk.verify(json.dumps(found).encode(), name="proof.json")[0] == UNREADABLE


def test_a_proof_shows_that_the_tree_continues_an_earlier_one(
    recorded: Any,
    proof: Any,
    desk: Desk,
) -> None:
    first = recorded(tmsReference="P-1")
    sealed()
    desk.put("first.json", json.dumps(proof(first)).encode())
    recorded(tmsReference="P-2")
    sealed()
    found = json.dumps(proof(first, since=1)).encode()
    previous = ("--keys", "jwks.json", "--previous", "first.json")
    code, told = desk.verify(found, *previous, name="proof.json")
    assert code == GOOD and "continues the previous one: 1 events then, 2 now" in told


@pytest.mark.parametrize("since", [0, 2, "x"])
def test_a_tree_that_was_never_there_is_refused(recorded: Any, proof: Any, since: Any) -> None:
    payment = recorded()
    sealed()
    assert proof(payment, since=since, answers=400)["errors"][0]["field"] == "since"
    assert proof(payment, since=1)["consistency"] == {"since": 1, "path": []}


def test_a_proof_that_was_altered_does_not_hold(
    recorded: Any,
    proof: Any,
    desk: Desk,
) -> None:
    payment, other = recorded(tmsReference="P-1"), recorded(tmsReference="P-2")
    sealed()
    found = proof(payment)
    assert desk.verify(json.dumps(found | {"paymentId": other}).encode(), name="p.json")[0] == BAD
    swapped = found | {"events": proof(other)["events"]}
    assert desk.verify(json.dumps(swapped).encode(), name="p.json")[0] == BAD
    larger = found | {"root": sign_statement(found["root"] | {"size": 3})}
    assert desk.verify(json.dumps(larger).encode(), name="p.json")[0] == BAD


def test_what_later_steps_rest_on_is_not_shown_to_institutions(recorded: Any, proof: Any) -> None:
    payment = recorded(amount="5000.00")
    record_transition(
        TravelRecord.objects.get(payment_id=payment),
        "SEND_LATER",
        now=NOON,
        facts={"why": "an officer’s own words"},
    )
    sealed()
    found = proof(payment)
    assert [("payload" in event) for event in found["events"]] == [True, False]
    assert "own words" not in json.dumps(found)


def test_another_institution_is_told_of_no_record(recorded: Any, proof: Any) -> None:
    payment = recorded()
    sealed()
    assert proof(payment, client=key_client("Bob SA", "INSTITUTION"), answers=404)
    assert proof(payment, client=key_client("Examiner", "MASTER"))["paymentId"] == payment


def test_an_altered_record_has_no_proof(recorded: Any, proof: Any) -> None:
    payment = recorded()
    sealed()
    TravelRecord.objects.filter(payment_id=payment).update(amount_usd=1)
    assert proof(payment, answers=503)["code"] == "record_unproved"


def test_a_root_is_signed_only_where_the_tree_grew(recorded: Any) -> None:
    assert roots.ensure_signed_root(now=NOON) is None
    recorded()
    sealed()
    sealed()
    assert [tree_root.size for tree_root in TreeRoot.objects.all()] == [1]


def test_a_root_follows_the_one_before_it(recorded: Any) -> None:
    for number in range(3):
        recorded(tmsReference=f"P-{number}")
        sealed()
    first, second, third = TreeRoot.objects.order_by("size")
    assert first.data["previous"] is None
    assert third.data["previous"] == {"size": 2, "root": second.root}


def many(count: int) -> list[bytes]:
    """Write seals beside the ledger, as far as the tree looks at them."""
    digests = [leaf_hash(bytes([n % 251, n // 251])).hex() for n in range(count)]
    Seal.objects.bulk_create(
        Seal(
            ledger="travel_rule", position=n + 1, record_id=n + 1, previous=f"{n:064}",
            content=one, digest=one, sealed_at=NOON,
        )
        for n, one in enumerate(digests)
    )  # fmt: skip
    return [leaf_hash(bytes.fromhex(digest)) for digest in digests]


@pytest.mark.parametrize("size", [255, 256, 257, 1000])
def test_the_stored_tree_is_the_tree_of_the_seals(db: None, size: int) -> None:
    whole = Frontier()
    whole.extend(many(size))
    merkle_tiles.store_new_nodes()
    assert TreeNode.objects.count() == size // 256
    assert compute_root(merkle_tiles.SealTree(size).node, size) == whole.root()


def test_higher_levels_are_stored_and_growing_again_writes_nothing(
    db: None, monkeypatch: Any
) -> None:
    monkeypatch.setattr(merkle_tiles, "LEVEL_STEP", 2)
    monkeypatch.setattr(merkle_tiles, "TILE_WIDTH", 4)
    whole = Frontier()
    whole.extend(many(70))
    merkle_tiles.store_new_nodes()
    held = dict.fromkeys(TreeNode.objects.values_list("level", flat=True), 0)
    for level in held:
        held[level] = TreeNode.objects.filter(level=level).count()
    assert held == {2: 17, 4: 4, 6: 1}
    assert compute_root(merkle_tiles.SealTree(70).node, 70) == whole.root()
    merkle_tiles.store_new_nodes()
    assert TreeNode.objects.count() == 22


def test_a_proof_reads_few_rows_of_a_large_tree(db: None, django_assert_num_queries: Any) -> None:
    many(1000)
    merkle_tiles.store_new_nodes()
    tree = merkle_tiles.SealTree(1000)
    with django_assert_num_queries(3):  # two tiles of seals and one of nodes
        inclusion_path(tree.node, 700, 1000)


def test_a_seal_that_is_missing_stops_the_tree(db: None) -> None:
    many(300)
    _delete("core_seal", "position = 100")
    with pytest.raises(merkle_tiles.TreeBroken, match="0/99"):
        merkle_tiles.store_new_nodes()


def _sql(table: str, statement: str) -> None:
    """Write into a table that is append-only, as somebody does who has the database."""
    vendor = connection.vendor
    on = f' ON "{table}"' if vendor == "postgresql" else ""
    with connection.cursor() as cursor:
        for name in sorted(trigger_names(table, vendor)):
            cursor.execute(f'DROP TRIGGER IF EXISTS "{name}"{on}')
        for part in statement.split(";"):
            cursor.execute(part)


def _delete(table: str, where: str) -> None:
    _sql(table, f'DELETE FROM "{table}" WHERE {where}')


def _faults(*ledgers: str) -> str:
    """Run verify_ledger; what it names beside the missing triggers."""
    out = io.StringIO()
    with contextlib.suppress(CommandError):
        call_command("verify_ledger", *ledgers, stdout=out, stderr=io.StringIO())
    found = [line for line in out.getvalue().splitlines() if line.startswith("  ")]
    return "\n".join(one for one in found if "trigger missing" not in one)


NODE, ROOT, SEALS = "travelrule_treenode", "travelrule_treeroot", "core_seal"
TAMPERED = {
    "a node altered": (NODE, f"UPDATE {NODE} SET digest = '{'0' * 64}'", "differs from the seals"),
    "a node inserted": (
        NODE,
        f"INSERT INTO {NODE} (level, \"index\", digest) VALUES (8, 3, '{'0' * 64}')",
        "covers missing seals",
    ),
    "the first node deleted": (NODE, f'DELETE FROM {NODE} WHERE "index" = 0', "is missing"),
    "a root altered": (ROOT, f"UPDATE {ROOT} SET root = '{'0' * 64}'", "altered"),
    "the last root deleted": (ROOT, f"DELETE FROM {ROOT} WHERE size = 600", "missing"),
    "a root's size altered": (ROOT, f"UPDATE {ROOT} SET size = 599 WHERE size = 600", "altered"),
    "a seal's digest altered": (
        SEALS,
        f"UPDATE {SEALS} SET digest = '{'1' * 64}' WHERE position = 300 AND ledger = 'travel_rule'",
        "differs from the seals",
    ),
    "the last seals deleted": (
        SEALS,
        f"DELETE FROM {SEALS} WHERE position > 520 AND ledger = 'travel_rule'",
        "the signed root of 600 covers missing seals",
    ),
}


@pytest.mark.parametrize("what", TAMPERED)
def test_verify_ledger_finds_what_is_done_to_the_tree(db: None, what: str) -> None:
    many(500)
    roots.ensure_signed_root(now=NOON)
    assert list(verify_tree(lambda done: None)) == []
    digests = [leaf_hash(bytes([n % 251, n // 251, 1])).hex() for n in range(500, 600)]
    Seal.objects.bulk_create(
        Seal(
            ledger="travel_rule", position=n, record_id=n, previous=f"{n:064}",
            content=one, digest=one, sealed_at=NOON,
        )
        for n, one in enumerate(digests, 501)
    )  # fmt: skip
    roots.ensure_signed_root(now=NOON)
    sealer.seal_ledger(ledger="travel_roots", now=NOON)
    assert list(verify_tree(lambda done: None)) == []
    assert _faults("travel_roots") == ""
    table, statement, told = TAMPERED[what]
    _sql(table, statement)
    found = "\n".join([*verify_tree(lambda done: None), _faults("travel_roots")])
    assert told in found, found


EVENTS = "travelrule_travelevent"
RECORDS = "travelrule_travelrecord"
OURS = "ledger = 'travel_rule'"
LEDGER = {
    "an event altered": (EVENTS, f"UPDATE {EVENTS} SET status = 'SENT'"),
    "an event deleted": (EVENTS, f"DELETE FROM {EVENTS} WHERE turn = 'TR-3' OR number = 1"),
    "a seal deleted": (SEALS, f"DELETE FROM {SEALS} WHERE {OURS} AND position = 2"),
    "a seal altered": (
        SEALS, f"UPDATE {SEALS} SET content = '{'0' * 64}' WHERE {OURS} AND position = 2",
    ),
    "seals reordered": (
        SEALS,
        f"UPDATE {SEALS} SET position = 9 - position WHERE {OURS};"
        f"UPDATE {SEALS} SET position = position - 4 WHERE {OURS}",
    ),
    "a record altered": (RECORDS, f"UPDATE {RECORDS} SET owner = 'account:999'"),
    "the last seal cut": (SEALS, f"DELETE FROM {SEALS} WHERE {OURS} AND position = 4"),
}  # fmt: skip


@pytest.mark.parametrize("what", LEDGER)
def test_what_is_done_to_the_ledger_is_found_by_verify_ledger_and_offline(
    recorded: Any,
    examiner: Any,
    desk: Desk,
    what: str,
) -> None:
    for number in range(4):
        recorded(tmsReference=f"T-{number}")
    sealed()
    first = whole(examiner, "ndjson")
    assert desk.verify(first)[0] == GOOD
    desk.put("first.ndjson", first)
    assert _faults("travel_rule") == ""
    _sql(*LEDGER[what])
    assert _faults("travel_rule")
    answer = examiner.get(EXPORT, {"format": "ndjson"})
    if answer.status_code == 503:  # the tree cannot be told at all
        return
    given = ("--keys", "jwks.json", "--previous", "first.ndjson")
    code, told = desk.verify(b"".join(answer), *given)
    assert code == BAD, told
