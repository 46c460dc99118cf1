"""Who an LEI is: from what is held, else by at most one call to GLEIF."""

import time
from datetime import UTC, date, datetime, timedelta

import pytest
from django.core.management import CommandError, call_command

from apps.platform.jobs.models import Job
from apps.reference.lei.clients import gleif_records
from apps.reference.lei.models import GleifFile, LeiRecord, LeiUse
from apps.reference.lei.services import api_answers, file_imports, lookups
from apps.reference.lei.values import Exemption, Ownership
from tests.lei import fake_gleif, golden_copy_files
from tests.lei.changed_entities import restate

pytestmark = pytest.mark.django_db
NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
A, B, C, D, E = (golden_copy_files.lei(number) for number in range(1, 6))


def load(folder, rows, name="20261119-0800-lei2.csv", **order):
    path = golden_copy_files.write(folder, rows, name)
    return file_imports.import_golden_copy(
        order=file_imports.ImportOrder(path, **order), clock=lambda: NOON
    )


def ask(lei=A, now=NOON, **options):
    return lookups.look_up_lei(lei=lei, now=now, **options)


def test_a_held_record_answers_and_nobody_is_asked(tmp_path, gleif):
    load(tmp_path, [golden_copy_files.record(A)])
    found = ask()
    assert (found.status, found.record.entity.legal_name) == ("KNOWN", "Acme Limited")
    assert found.as_of == datetime(2026, 11, 19, 8, tzinfo=UTC)
    assert gleif.asked == []


def test_a_held_record_costs_one_query_once_it_is_marked(tmp_path, django_assert_num_queries):
    load(tmp_path, [golden_copy_files.record(A)])
    with django_assert_num_queries(2):
        ask()
    with django_assert_num_queries(1):
        ask()
    assert LeiUse.objects.get(lei=A).used_on == NOON.date()
    with django_assert_num_queries(2):
        ask(now=NOON + timedelta(days=1))
    assert LeiUse.objects.get(lei=A).used_on == date(2026, 11, 21)


def test_an_unknown_lei_costs_one_call_and_is_kept(gleif):
    gleif.add(fake_gleif.record(A, "Acme AG"))
    found = ask()
    assert (found.status, found.record.source) == ("KNOWN", "GLEIF_API")
    assert found.record.entity.legal_name == "Acme AG"
    assert found.as_of == datetime(2026, 11, 19, 8, tzinfo=UTC)
    assert ask() == found
    assert gleif.asked == [f"lei-records/{A}"]


def test_asking_plans_the_completion_of_the_chain_once(gleif):
    gleif.add(fake_gleif.record(A))
    ask()
    lookups.load_owner_chain(lei=A, now=NOON)
    assert list(Job.objects.values_list("name", "key")) == [("lei.complete_chain", A)]


def test_an_lei_that_gleif_does_not_know_is_unknown_for_a_day(gleif):
    assert ask().status == "UNKNOWN"
    assert ask(now=NOON + timedelta(hours=23)).status == "UNKNOWN"
    assert len(gleif.asked) == 1
    gleif.add(fake_gleif.record(A))
    assert ask(now=NOON + timedelta(hours=24)).status == "KNOWN"


@pytest.mark.parametrize(
    ("status", "raw"), [(500, None), (429, None), (200, b"<html>"), (200, b'{"data": []}')]
)
def test_when_gleif_fails_the_answer_is_not_checked(gleif, status, raw):
    gleif.status, gleif.raw = status, raw
    if raw:
        gleif.answers[f"lei-records/{A}"] = {}
    found = ask()
    assert (found.status, found.record) == ("NOT_CHECKED", None)
    assert len(gleif.asked) == 1


def test_an_answer_about_another_lei_is_no_answer(gleif):
    gleif.answers[f"lei-records/{A}"] = fake_gleif.record(B)
    assert ask().status == "NOT_CHECKED"


def test_a_slow_gleif_holds_nobody_longer_than_the_deadline(gleif, monkeypatch):
    monkeypatch.setattr(lookups, "IN_REQUEST_SECONDS", 0.2)
    gleif.delay = 3.0
    begun = time.monotonic()
    assert ask().status == "NOT_CHECKED"
    assert time.monotonic() - begun < 2.5


def test_after_five_failures_gleif_is_left_alone(gleif):
    gleif.status = 500
    for number in range(10):
        ask(golden_copy_files.lei(100 + number))
    assert len(gleif.asked) == 5


def test_without_gleif_an_unknown_lei_is_not_checked(settings):
    settings.GLEIF_URL = ""
    assert ask().status == "NOT_CHECKED"


def test_with_ask_false_nothing_leaves_this_host(gleif):
    assert ask(ask=False).status == "NOT_CHECKED"
    assert gleif.asked == []


@pytest.mark.parametrize(("hours", "status"), [(47, "UNKNOWN"), (48, "NOT_CHECKED")])
def test_a_young_golden_copy_speaks_for_all_leis(tmp_path, settings, hours, status):
    settings.GLEIF_URL = ""
    load(tmp_path, [golden_copy_files.record(B)], as_of=NOON - timedelta(hours=hours))
    assert ask().status == status


def test_a_part_of_the_register_says_of_no_lei_that_it_is_not_there(
    tmp_path, settings, monkeypatch
):
    settings.GLEIF_URL = ""
    day = datetime(2026, 11, 18, tzinfo=UTC)
    api_answers.store_owner_statements(
        lei=A, statements=[Ownership(A, B, "DIRECT")], published=day, now=NOON
    )
    monkeypatch.setitem(file_imports.FEWEST_ROWS, "RECORDS", 2)
    assert load(tmp_path, [golden_copy_files.record(B)], as_of=NOON).partial
    assert ask().status == "NOT_CHECKED"
    assert ask(B).status == "KNOWN"
    load(tmp_path, [golden_copy_files.relation(C, D)], "20261119-0800-rr.csv", partial=True)
    # what such a file does not repeat of an answer is not ended by it
    assert ("DIRECT_PARENT", B) in roles(lookups.load_owner_chain(lei=A, now=NOON, ask=False))
    load(tmp_path, [golden_copy_files.record(B), golden_copy_files.record(C)], as_of=NOON)
    assert ask().status == "UNKNOWN"


def test_the_sample_does_not_speak_for_all_leis(tmp_path, settings):
    settings.GLEIF_URL = ""
    load(tmp_path, [golden_copy_files.record(B)], source="SAMPLE", as_of=NOON)
    assert ask().status == "NOT_CHECKED"


def test_a_sample_record_serves_only_where_nobody_can_be_asked(tmp_path, gleif):
    load(
        tmp_path,
        [golden_copy_files.record(A, "Sample"), golden_copy_files.record(B)],
        source="SAMPLE",
        as_of=NOON,
    )
    gleif.add(fake_gleif.record(A, "Real"))
    assert ask(ask=False).record.source == "SAMPLE"
    assert ask().record.entity.legal_name == "Real"
    assert ask(ask=False).record.source == "GLEIF_API"
    gleif.status = 500
    assert ask(B).record.source == "SAMPLE"


def test_production_knows_no_sample(tmp_path, settings):
    settings.GLEIF_URL = ""
    load(
        tmp_path,
        [golden_copy_files.record(A), golden_copy_files.record(B)],
        source="SAMPLE",
        as_of=NOON,
    )
    load(tmp_path, [golden_copy_files.relation(A, B)], "rr.csv", source="SAMPLE", as_of=NOON)
    assert (ask().status, len(lookups.load_owner_chain(lei=A, now=NOON).nodes)) == ("KNOWN", 2)
    settings.PRODUCTION = True
    owner_chain = lookups.load_owner_chain(lei=A, now=NOON)
    assert (ask().status, len(owner_chain.nodes), owner_chain.nodes[0].known) == (
        "NOT_CHECKED",
        1,
        False,
    )
    with pytest.raises(CommandError, match="Production"):
        call_command("load_sample_lei")


def test_a_record_whose_renewal_was_due_is_asked_for_anew(tmp_path, gleif):
    old = golden_copy_files.record(A, NextRenewalDate="2026-11-19T00:00:00Z")
    load(tmp_path, [old])
    restate(LeiRecord.objects.all(), fetched_at=NOON - timedelta(hours=25))
    gleif.add(fake_gleif.record(A, nextRenewalDate="2027-11-19T00:00:00Z"))
    found = ask()
    assert found.record.entity.next_renewal == date(2027, 11, 19)
    assert lookups.judge_lei_for_name(lei_lookup=found, name="Acme Ltd", now=NOON) == (True, "")


def test_when_gleif_is_silent_a_record_past_its_renewal_has_lapsed(tmp_path, gleif):
    load(tmp_path, [golden_copy_files.record(A, NextRenewalDate="2026-11-19T00:00:00Z")])
    restate(LeiRecord.objects.all(), fetched_at=NOON - timedelta(hours=25))
    gleif.status = 500
    found = ask()
    counted, reason = lookups.judge_lei_for_name(lei_lookup=found, name="Acme Ltd", now=NOON)
    assert (found.status, counted, reason) == ("KNOWN", False, f"LEI {A} is LAPSED, not ISSUED")


def test_the_newer_of_copy_and_answer_rules(tmp_path, gleif):
    load(tmp_path, [golden_copy_files.record(A, "Of the copy")])
    answer = gleif_records.parse_record(
        {
            "meta": {"goldenCopy": {"publishDate": "2026-11-20T08:00:00Z"}},
            "data": fake_gleif.record(A, "Of the answer"),
        }
    )
    api_answers.store_entity(answer=answer, now=NOON)
    assert ask().record.entity.legal_name == "Of the answer"
    load(tmp_path, [golden_copy_files.record(A, "Newer copy")], "20261120-1200-lei2.csv")
    assert ask().record.entity.legal_name == "Newer copy"
    assert LeiRecord.objects.count() == 1


def test_an_answer_asked_twice_is_one_row(gleif):
    gleif.add(fake_gleif.record(A, "Before"))
    ask()
    answer = gleif_records.parse_record(
        {
            "meta": {"goldenCopy": {"publishDate": "2026-11-20T08:00:00Z"}},
            "data": fake_gleif.record(A, "After"),
        }
    )
    entity = api_answers.store_entity(answer=answer, now=NOON)
    assert (LeiRecord.objects.count(), ask().record) == (1, entity)


# --- chains in the database ---------------------------------------------------------


def group(folder):
    """A → B → C → D, with D the ultimate parent of A."""
    records = [golden_copy_files.record(lei, f"Company {n}") for n, lei in enumerate((A, B, C, D))]
    load(folder, records)
    owners = [
        golden_copy_files.relation(A, B),
        golden_copy_files.relation(B, C),
        golden_copy_files.relation(C, D),
    ]
    load(
        folder,
        [*owners, golden_copy_files.relation(A, D, golden_copy_files.ULTIMATE)],
        "20261119-0800-rr.csv",
    )
    rows = [
        golden_copy_files.exception(D, category, "NO_KNOWN_PERSON")
        for category in (golden_copy_files.NO_DIRECT, golden_copy_files.NO_ULTIMATE)
    ]
    load(folder, rows, "20261119-0800-repex.csv")


def roles(found):
    return [(node.role, node.lei) for node in found.nodes]


@pytest.mark.parametrize("deep", [True, False])
def test_a_chain_takes_two_queries_whatever_its_depth(tmp_path, django_assert_num_queries, deep):
    group(tmp_path)
    with django_assert_num_queries(2):
        owner_chain = lookups.load_owner_chain(lei=A, now=NOON, deep=deep)
    middle = [("DIRECT_PARENT", B)] + ([("INTERMEDIATE", C)] if deep else [])
    assert roles(owner_chain) == [("SUBJECT", A), *middle, ("ULTIMATE_PARENT", D)]
    assert (owner_chain.gaps, owner_chain.sample) == ((), False)
    assert owner_chain.as_of == datetime(2026, 11, 19, 8, tzinfo=UTC)


def test_an_entity_and_its_chain_come_in_two_queries(tmp_path, django_assert_num_queries):
    group(tmp_path)
    apart = ask(), lookups.load_owner_chain(lei=A, now=NOON, levels=2)
    with django_assert_num_queries(2):
        together = lookups.look_up_with_chain(lei=A, now=NOON, levels=2)
    assert together == apart


def test_the_chain_has_the_record_that_gleif_just_gave(gleif):
    gleif.add(fake_gleif.record(A, "Acme AG"))
    found, owners = lookups.look_up_with_chain(lei=A, now=NOON)
    assert found.record.entity.legal_name == owners.nodes[0].name == "Acme AG"


def test_an_entity_that_nobody_knows_has_no_chain(gleif):
    found, owners = lookups.look_up_with_chain(lei=A, now=NOON)
    assert (found.status, owners) == ("UNKNOWN", None)


def test_a_subsidiary_finds_its_ultimate_parent_by_its_direct_ones(tmp_path):
    group(tmp_path)
    assert roles(lookups.load_owner_chain(lei=B, now=NOON, levels=2)) == [
        ("SUBJECT", B),
        ("ULTIMATE_PARENT", D),
    ]


def test_a_circle_in_the_database_ends(tmp_path):
    load(
        tmp_path,
        [golden_copy_files.relation(A, B), golden_copy_files.relation(B, A)],
        "20261119-0800-rr.csv",
    )
    assert "CYCLE" in {
        gap.reason for gap in lookups.load_owner_chain(lei=A, now=NOON, deep=True).gaps
    }


def test_rows_being_staged_are_not_seen(tmp_path):
    group(tmp_path)
    GleifFile.objects.filter(kind="RELATIONSHIPS").update(state="STAGING", live_at=None)
    assert roles(lookups.load_owner_chain(lei=A, now=NOON, ask=False)) == [("SUBJECT", A)]


def test_what_gleif_answers_replaces_what_was_said_before(gleif):
    day = datetime(2026, 11, 20, tzinfo=UTC)
    said = [Ownership(A, B, "DIRECT"), Exemption(A, "ULTIMATE", "NON_PUBLIC")]
    for lei in (A, B):
        data = {"meta": {"goldenCopy": {"publishDate": fake_gleif.PUBLISHED}}}
        answer = gleif_records.parse_record(data | {"data": fake_gleif.record(lei)})
        api_answers.store_entity(answer=answer, now=NOON)
    api_answers.store_owner_statements(lei=A, statements=said, published=day, now=NOON)
    owner_chain = lookups.load_owner_chain(lei=A, now=NOON, ask=False)
    assert roles(owner_chain) == [("SUBJECT", A), ("DIRECT_PARENT", B)]
    exempt = [Exemption(A, kind, "NATURAL_PERSONS") for kind in ("DIRECT", "ULTIMATE")]
    api_answers.store_owner_statements(lei=A, statements=exempt, published=day, now=NOON)
    assert roles(lookups.load_owner_chain(lei=A, now=NOON, ask=False)) == [("SUBJECT", A)]


def test_a_newer_copy_ends_an_ownership_that_gleif_once_answered(tmp_path):
    day = datetime(2026, 11, 18, tzinfo=UTC)
    api_answers.store_owner_statements(
        lei=A, statements=[Ownership(A, B, "DIRECT")], published=day, now=NOON
    )
    load(tmp_path, [golden_copy_files.relation(C, D)], "20261119-0800-rr.csv")
    assert roles(lookups.load_owner_chain(lei=A, now=NOON, ask=False)) == [("SUBJECT", A)]
