"""Parties of counterparties' messages are screened after the answer, and officers see matches."""

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.core.management import call_command

from apps.backoffice.review import services
from apps.backoffice.review.models import Case
from apps.backoffice.review.views.evidence import draw_case_evidence
from apps.backoffice.sar.models import SarEntry
from apps.payments.travelrule.integrity import verify_records
from apps.payments.travelrule.models import RecordKey, TravelEvent, TravelRecord
from apps.payments.travelrule.rules.screening_limits import MAX_PARTIES
from apps.payments.travelrule.screening import tasks
from apps.payments.travelrule.screening.subjects import list_subjects
from apps.platform.common.clock import now
from apps.platform.jobs import job_queue
from apps.platform.jobs.models import Job, JobState
from apps.platform.ledger.sealer import seal_ledger
from apps.platform.ledger.verification.verified_reads import filter_verified_records
from apps.reference.watchlists.engine import ListsUnavailable
from apps.reference.watchlists.models import Source
from tests.review.people import NOTE, OFFICER, SENIOR, at_desk, check_page, person
from tests.travelrule.erasure import erased
from tests.travelrule.test_export import export
from tests.travelrule.test_receive import message, post, receive

pytestmark = pytest.mark.django_db
NEAR, LISTED = "Sberbank Leasing Consultants", "Sberbank"
LATE, NEXT_DAY = timedelta(hours=7), timedelta(days=1)


def naming(originator: str = "", beneficiary: str = "") -> dict[str, Any]:
    """A message whose parties are called so."""
    sent = message()
    for side, name in (("originator", originator), ("beneficiary", beneficiary)):
        if name:
            legal = sent[side][f"{side}Persons"][0]["legalPerson"]
            legal["name"]["nameIdentifier"][0]["legalPersonName"] = name
    return sent


def screened() -> TravelRecord:
    """Run what waits to be screened; return the record."""
    record = TravelRecord.objects.get(direction="INBOUND")
    tasks.screen_message_parties(str(record.pk), now())
    record.refresh_from_db()
    return record


def run_job() -> Job:
    """Run the job of a message as workers do, once."""
    job = Job.objects.get(name=tasks.SCREEN_JOB, state=JobState.PENDING)
    Job.objects.filter(pk=job.pk).update(eta=now())
    job_queue.run_job(job.pk)
    job.refresh_from_db()
    return job


def case() -> Case:
    return Case.objects.get(kind="travel_party")


@pytest.mark.parametrize("side", ["originator", "beneficiary"])
def test_a_party_near_a_listed_one_is_a_case_of_its_name(sample: Any, side: str) -> None:
    receive(naming(**{side: NEAR}))
    assert not Case.objects.filter(kind="travel_party").exists()
    screened()
    new_case = case()
    assert (new_case.party, new_case.risk, new_case.needs_second) == (NEAR, "HIGH", True)
    assert new_case.told[0]["sentence"].startswith("Possible sanctions match, 69 %: ")
    html = check_page(at_desk(person("olivia", OFFICER)).get(f"/admin/review/case/{new_case.pk}/"))
    assert "Possible sanctions match, 69 %" in html and LISTED in html


def decide_by_two(one: Case, outcome: str, reason: str) -> None:
    """Have two officers decide a case; nobody has decided it before the second one confirms."""
    given = {"reason_code": reason, "note": NOTE, "now": now()}
    services.decide_case(case=one, by=person("olivia", OFFICER), outcome=outcome, **given)
    assert services.load_resolution(kind="travel_party", ref=one.ref) is None
    one.refresh_from_db()
    services.confirm_decision(case=one, by=person("sam", SENIOR), **given)


OTHER_NEAR = "Sberbank Trading Consultants"


def test_each_party_has_a_case_of_its_own_with_whose_match_it_is(sample: Any) -> None:
    receive(naming(NEAR, OTHER_NEAR))
    screened()
    first, second = Case.objects.filter(kind="travel_party").order_by("party")
    assert (first.party, second.party) == (NEAR, OTHER_NEAR)
    assert {row["whose"] for row in draw_case_evidence(first)["matches"]} == {f"Originator {NEAR}"}
    assert {row["whose"] for row in draw_case_evidence(second)["matches"]} == {
        f"Beneficiary {OTHER_NEAR}"
    }


def test_what_is_decided_of_one_party_of_a_side_says_nothing_of_another(sample: Any) -> None:
    sent = naming(NEAR)
    persons = sent["originator"]["originatorPersons"]
    persons += naming(OTHER_NEAR)["originator"]["originatorPersons"]
    receive(sent)
    screened()
    decide_by_two(Case.objects.get(kind="travel_party", party=NEAR), "APPROVE", "DIFFERENT_PARTY")
    other = Case.objects.get(kind="travel_party", party=OTHER_NEAR)
    assert other.status == "OPEN" and NEAR not in str(other.rules) + str(other.evidence)


def test_a_message_whose_parties_are_not_listed_opens_no_case(sample: Any) -> None:
    receive(message())
    record = screened()
    assert not Case.objects.filter(kind="travel_party").exists()
    assert [event.event for event in record.events.order_by("number")] == ["STORED", "SCREENED"]
    step = record.events.get(event="SCREENED")
    assert step.data["screened"]["decision"] == "APPROVED" and step.data["screened"]["lists"]
    assert list(verify_records(lambda done: None)) == []


def test_nothing_of_it_reaches_the_counterparty_or_the_status(sample: Any, examiner: Any) -> None:
    sent = naming(LISTED)
    first = receive(sent)
    record = screened()
    assert record.status == first["status"] == "STORED"
    again = receive(sent, answers=200)
    left = {"duplicate", "retainUntil", "createdAt"}
    assert {k: v for k, v in again.items() if k not in left} == {
        k: v for k, v in first.items() if k not in left
    }
    assert set(first) == set(again)
    (told,) = export(examiner)["records"]
    assert told["status"] == "STORED" and "BLOCKED" not in str(told)
    assert "FLAGGED" not in str(told) and "anction" not in str(told)


def test_a_listed_party_is_in_the_sar_log_and_two_officers_decide(sample: Any) -> None:
    receive(naming(LISTED))
    screened()
    new_case = case()
    assert (new_case.risk, new_case.needs_second) == ("HIGH", True)
    (entry,) = SarEntry.objects.filter(kind="travel_party")
    assert entry.ref == new_case.ref
    html = check_page(at_desk(person("olivia", OFFICER)).get(f"/admin/review/case/{new_case.pk}/"))
    assert "DIFFERENT_PARTY" in html and "LISTED_PARTY" in html


def test_a_second_run_changes_nothing(sample: Any) -> None:
    receive(naming(LISTED))
    screened()
    before = TravelEvent.objects.count(), Case.objects.count(), SarEntry.objects.count()
    assert screened().steps == 2
    assert (TravelEvent.objects.count(), Case.objects.count(), SarEntry.objects.count()) == before


def test_each_message_is_screened_once_by_a_job_of_its_own(sample: Any) -> None:
    receive(naming(NEAR))
    receive(naming(NEAR), answers=200)
    assert run_job().state == JobState.DONE
    assert case().party == NEAR


def test_a_refused_message_has_its_parties_screened_as_well(sample: Any) -> None:
    sent = naming(NEAR)
    del sent["beneficiary"]
    receive(sent, answers=400)
    assert screened().status == "FAILED"
    assert case().party == NEAR


def person_named(name: str) -> dict[str, Any]:
    """A message whose originator is a person."""
    sent = message()
    names = [{"primaryIdentifier": name, "nameIdentifierType": "LEGL"}]
    sent["originator"]["originatorPersons"] = [
        {"naturalPerson": {"name": {"nameIdentifier": names}, "countryOfResidence": "NO"}}
    ]
    return sent


def test_where_no_office_holders_are_listed_a_person_is_screened_by_sanctions(
    sample: Any,
) -> None:
    Source.objects.filter(topic="pep").update(enabled=False)
    call_command("build_index", verbosity=0)
    receive(person_named("Ada Quillfeather"), answers=400)
    screened()
    assert not Case.objects.filter(kind="travel_party").exists()


def test_a_currency_that_no_case_can_hold_does_not_keep_a_match_from_officers(
    sample: Any,
) -> None:
    money = {"transferAmount": "4500", "transferCurrency": "TWELVELETTER"}
    post(json.dumps(naming(NEAR) | {"transferAmount": money}).encode())
    screened()
    new_case = case()
    assert new_case.party == NEAR and new_case.currency == "TWELVELETT"


def test_a_wallet_on_a_list_is_found_whoever_is_named_for_it() -> None:
    sent = message()
    sent["originator"]["accountNumber"] = ["acct-first-00", "acct-other-00"]
    (one,) = (party.asked for party in list_subjects(sent).parties if party.side == "originator")
    others = [identifier.value for identifier in one.identifiers if identifier.kind == "wallet"]
    assert [one.wallet_address, *others] == ["acct-first-00", "acct-other-00"]


def test_what_a_message_says_of_a_person_is_evidence() -> None:
    sent = message()
    sent["originator"]["originatorPersons"] = [
        {
            "naturalPerson": {
                "name": {
                    "nameIdentifier": [
                        {
                            "primaryIdentifier": "Noor",
                            "secondaryIdentifier": "Ada",
                            "nameIdentifierType": "LEGL",
                        }
                    ],
                    "localNameIdentifier": [
                        {"primaryIdentifier": "Nour", "nameIdentifierType": "LEGL"}
                    ],
                },
                "dateAndPlaceOfBirth": {"dateOfBirth": "1980-02-03", "placeOfBirth": "Oslo"},
                "nationalIdentification": {
                    "nationalIdentifier": "P1234567",
                    "nationalIdentifierType": "CCPT",
                    "countryOfIssue": "NO",
                },
                "countryOfResidence": "NO",
            }
        }
    ]
    one = list_subjects(sent).parties[0].asked
    assert (one.name, one.aliases, one.individual) == ("Ada Noor", ("Nour",), True)
    assert (one.birth_date, one.country) == ("1980-02-03", "NO")
    assert [(identifier.kind, identifier.value) for identifier in one.identifiers] == [
        ("passport", "P1234567")
    ]


def test_more_parties_than_are_screened_wait_for_an_officer(sample: Any) -> None:
    sent = message()
    persons = [company(f"Plover {number} Limited") for number in range(MAX_PARTIES + 5)]
    sent["originator"]["originatorPersons"] = persons
    receive(sent)
    screened()
    new_case = case()
    assert new_case.refs == ["TR-S2"] and (new_case.risk, new_case.needs_second) == ("HIGH", True)
    html = check_page(at_desk(person("olivia", OFFICER)).get(f"/admin/review/case/{new_case.pk}/"))
    assert "Plover 44 Limited" in html and "Plover 3 Limited" not in html


def company(*names: str, **more: Any) -> dict[str, Any]:
    told = [{"legalPersonName": name, "legalPersonNameIdentifierType": "LEGL"} for name in names]
    return {"legalPerson": {"name": {"nameIdentifier": told}, **more}}


def with_persons(side: str, *persons: dict[str, Any]) -> dict[str, Any]:
    sent = message()
    sent[side][f"{side}Persons"] = list(persons)
    return sent


def test_accounts_of_one_side_push_no_party_of_the_other_out(sample: Any) -> None:
    sent = naming(beneficiary=LISTED)
    sent["originator"]["accountNumber"] = [f"0x{number:040x}" for number in range(90)]
    receive(sent)
    screened()
    assert (case().party, case().needs_second) == (LISTED, True)
    assert SarEntry.objects.get().data["party"] == LISTED


def test_parties_of_one_side_push_no_party_of_the_other_out(sample: Any) -> None:
    many = [company(f"Plover {number} Limited") for number in range(MAX_PARTIES)]
    sent = with_persons("originator", *many)
    names = sent["beneficiary"]["beneficiaryPersons"][0]["legalPerson"]["name"]["nameIdentifier"]
    names[0]["legalPersonName"] = LISTED
    receive(sent)
    screened()
    assert Case.objects.filter(kind="travel_party", party=LISTED).exists()


def test_every_further_name_of_a_party_is_compared(sample: Any) -> None:
    names = [f"Plover {number} Limited" for number in range(25)]
    receive(with_persons("originator", company(*names, LISTED)))
    record = screened()
    assert case().party == names[0] and "1 §2.7 rule 3 match" in case().refs
    assert record.events.get(event="SCREENED").data["screened"]["whole"]


def test_a_name_that_is_cut_is_told_whole_in_the_case(sample: Any) -> None:
    left_out = list_subjects(with_persons("originator", company("Plover " * 40))).left_out
    assert left_out == (("Name, compared in part", "Plover " * 40),)


def test_a_listed_intermediary_is_found(sample: Any) -> None:
    step = {"intermediaryVASP": company(LISTED), "sequence": 0}
    receive(message(transferPath={"transferPath": [step]}))
    screened()
    assert case().party == LISTED
    assert draw_case_evidence(case())["matches"][0]["whose"] == f"Intermediary VASP {LISTED}"


def test_a_listed_wallet_for_which_nobody_is_named_is_looked_up() -> None:
    sent = with_persons("beneficiary")
    sent["beneficiary"]["accountNumber"] = ["0xabc-unnamed-1"]
    held = [party.asked for party in list_subjects(sent).parties if party.side == "beneficiary"]
    assert [one.wallet_address for one in held] == ["0xabc-unnamed-1"]


def address(country: str, *lines: str, town: str = "Town") -> dict[str, Any]:
    told = {"addressType": "GEOG", "townName": town, "country": country}
    return told | {"addressLine": list(lines or ["Main 1"])}


LONG = [f"Gasse {number} ".ljust(70, "y") for number in range(7)]


@pytest.mark.parametrize(
    "addresses",
    [
        [address("KP", *LONG, town="Pyongyang")],
        [address("KP"), address("DE")],
        [address("DE"), address("KP"), address("FR")],
        [address("DE", *LONG)] * 3 + [address("KP"), address("DE", *LONG)],
    ],
)
def test_the_country_of_every_address_is_judged_however_long_they_are(
    sample: Any, addresses: list[dict[str, Any]]
) -> None:
    given = {"countryOfRegistration": "DE", "geographicAddress": addresses}
    post(json.dumps(with_persons("originator", company("Plover Limited", **given))).encode())
    screened()
    found = Case.objects.get(kind="travel_party", party="Plover Limited")
    assert any("KP" in rule["sentence"] for rule in found.rules), found.rules


def test_words_of_an_address_turn_no_country_into_a_state(sample: Any) -> None:
    given = {"countryOfRegistration": "DE", "geographicAddress": [address("LA", "Main 1, USA")]}
    post(json.dumps(with_persons("originator", company("Plover Limited", **given))).encode())
    screened()
    assert "address country LA" in case().rules[0]["sentence"]


def test_every_blocked_party_has_its_own_entry_though_another_scores_higher(sample: Any) -> None:
    flagged = company(
        "Plover Limited", countryOfRegistration="DE", geographicAddress=[address("KP")]
    )
    sent = with_persons("originator", flagged, company(LISTED), company("Hidden Cobra"))
    receive(sent)
    screened()
    entries = {
        sar_entry.data["party"]: sar_entry
        for sar_entry in SarEntry.objects.filter(kind="travel_party")
    }
    assert {*entries} == {LISTED, "Hidden Cobra"}
    for name, one in entries.items():
        case_of = Case.objects.get(kind="travel_party", ref=one.ref)
        assert case_of.party == name and one.data["lists"]
        assert "1 §2.7 rule 3 match" in one.data["rules"]
    assert Case.objects.get(kind="travel_party", party="Plover Limited").risk == "HIGH"


def test_what_blocks_a_party_goes_before_what_flags_it_at_a_higher_score(sample: Any) -> None:
    """Further names of a party take a screen of their own, in which alone the listed one stands."""
    names = [f"Plover {number} Limited" for number in range(11)]
    given = {"countryOfRegistration": "DE", "geographicAddress": [address("KP")]}
    post(json.dumps(with_persons("originator", company(*names, LISTED, **given))).encode())
    screened()
    one = Case.objects.get(kind="travel_party")
    assert one.rules[0]["ref"] == "1 §2.7 rule 3 match"
    (entry,) = SarEntry.objects.all()
    assert entry.data["rules"][0] == "1 §2.7 rule 3 match" and entry.data["lists"]


def send_many(*bodies: dict[str, Any]) -> list[dict[str, Any]]:
    """Receive messages that differ by their amount, and screen each; return what events say."""
    told = []
    for number, body in enumerate(bodies):
        money = {"transferAmount": f"{3000 + number}.00", "transferCurrency": "USD"}
        post(json.dumps(body | {"transferAmount": money}).encode())
        record = TravelRecord.objects.latest("pk")
        tasks.screen_message_parties(str(record.pk), now())
        told.append(record.events.get(event="SCREENED").data["screened"])
    return told


def test_the_same_party_of_many_messages_is_one_case_and_one_entry(sample: Any) -> None:
    told = send_many(*[naming(LISTED)] * 4)
    new_case = case()
    assert [each["cases"] for each in told] == [[new_case.ref]] * 4
    assert all(each["decision"] == "BLOCKED" and each["findings"] for each in told)
    assert SarEntry.objects.get().ref == new_case.ref
    html = check_page(
        at_desk(person("edgar", "Examiner")).get(f"/admin/review/case/{new_case.pk}/")
    )
    assert "3 further messages joined the case" in html
    assert list(verify_records(lambda done: None)) == []


def test_messages_of_later_days_are_not_read_to_find_those_of_a_case(
    sample: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    send_many(naming(LISTED))
    first = TravelRecord.objects.get()
    post(json.dumps(naming(OTHER_NEAR)).encode())
    tasks.screen_message_parties(str(TravelRecord.objects.latest("pk").pk), now() + NEXT_DAY)
    read: list[Any] = []

    def count_read(rows: Any) -> Any:
        read.extend(verified := filter_verified_records(rows))
        return verified

    monkeypatch.setattr(tasks, "filter_verified_records", count_read)
    joined = tasks.load_records_of_case(Case.objects.get(kind="travel_party", party=LISTED))
    assert ([record.pk for record in joined], len(read)) == ([first.pk], 1)


def test_a_party_is_the_same_however_its_name_is_written(sample: Any) -> None:
    written = (LISTED, LISTED.upper(), f" {LISTED} ", LISTED.replace(" ", "  "))
    told = send_many(*map(naming, written))
    assert [each["cases"] for each in told] == [[case().ref]] * 4
    assert SarEntry.objects.count() == 1


def test_a_message_after_the_decision_is_a_case_of_its_own(sample: Any) -> None:
    send_many(naming(LISTED))
    decide_by_two(case(), "REJECT", "LISTED_PARTY")
    send_many(naming(LISTED) | {"transferPath": {"transferPath": []}})
    assert Case.objects.filter(kind="travel_party").count() == 2
    assert SarEntry.objects.count() == 2


def test_a_larger_amount_joins_no_case_that_one_officer_decides(sample: Any) -> None:
    weak = company("Plover Limited", countryOfRegistration="HT")
    sent = with_persons("originator", weak)
    send_many(sent)
    assert not case().needs_second
    money = {"transferAmount": "2000000", "transferCurrency": "USD"}
    receive(sent | {"transferAmount": money})
    tasks.screen_message_parties(str(TravelRecord.objects.latest("pk").pk), now())
    assert sorted(Case.objects.values_list("needs_second", flat=True)) == [False, True]


def test_a_counterparty_opens_no_more_cases_than_a_bound_in_a_day(
    sample: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("apps.payments.travelrule.screening.cases.MAX_CASES", 3)
    near = [naming(f"{NEAR} {word}") for word in ("Red", "Blue", "Green", "Grey", "White")]
    told = send_many(*near, naming(LISTED))
    cases = Case.objects.filter(kind="travel_party")
    assert cases.count() == 4
    others = cases.get(rule_refs="|TR-S3|")
    assert (others.risk, others.needs_second) == ("HIGH", True)
    assert [each["cases"] for each in told[3:]] == [[others.ref]] * 3
    (entry,) = SarEntry.objects.all()
    assert entry.data["party"] == LISTED, "a blocked party has its entry past the bound as well"
    html = check_page(at_desk(person("edgar", "Examiner")).get(f"/admin/review/case/{others.pk}/"))
    assert "2 further messages joined the case" in html


def test_a_day_of_whoever_is_named_by_a_shared_key_is_bounded_too(
    sample: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("apps.payments.travelrule.screening.cases.MAX_CASES_OF_SHARED_KEY", 3)
    sent = [naming(f"{NEAR} {number}") for number in range(6)]
    for number, one in enumerate(sent):
        one["originatingVASP"] = {"originatingVASP": company(f"Vasp {number} Limited")}
    send_many(*sent)
    refs = Case.objects.filter(kind="travel_party").values_list("ref", flat=True)
    assert len({ref.split(".")[2] for ref in refs}) == 4, "three by name, and one for the others"


@pytest.fixture
def without_lists(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Take the lists away; returns what gives them back."""
    failing = pytest.MonkeyPatch()

    def fail(**given: Any) -> Any:
        raise ListsUnavailable("No list is held.")

    failing.setattr("apps.payments.travelrule.screening.screens.selectors.gather_screen", fail)
    monkeypatch.setattr("apps.platform.jobs.job_queue.clock.now", now)
    return failing.undo


def give_up() -> Case:
    receive(naming(NEAR))
    while run_job().state == JobState.PENDING:
        pass
    return case()


def test_a_screen_that_cannot_be_made_waits_for_an_officer_with_the_reason(
    sample: Any, without_lists: Callable[[], None]
) -> None:
    one = give_up()
    without_lists()
    assert (one.party, one.risk) == (NEAR, "MEDIUM")
    assert "No list is held." in one.told[0]["sentence"]
    assert not Job.objects.filter(name=tasks.SCREEN_JOB, state=JobState.FAILED).exists()


def test_an_officer_has_it_screened_again(sample: Any, without_lists: Callable[[], None]) -> None:
    one = give_up()
    without_lists()
    services.decide_case(
        case=one, by=person("olivia", OFFICER), outcome="APPROVE", reason_code="SCREEN_AGAIN",
        note=NOTE, now=now(),
    )  # fmt: skip
    assert run_job().state == JobState.DONE
    later = Case.objects.exclude(pk=one.pk).get(kind="travel_party")
    assert later.party == NEAR and later.risk_score == 69


def test_all_messages_of_a_day_that_could_not_be_screened_are_screened_again_together(
    sample: Any, without_lists: Callable[[], None]
) -> None:
    for name in (NEAR, OTHER_NEAR):
        receive(naming(name))
        while run_job().state == JobState.PENDING:
            pass
    without_lists()
    services.decide_case(
        case=case(), by=person("olivia", OFFICER), outcome="APPROVE", reason_code="SCREEN_AGAIN",
        note=NOTE, now=now(),
    )  # fmt: skip
    for job in Job.objects.filter(name=tasks.SCREEN_JOB, state=JobState.PENDING):
        Job.objects.filter(pk=job.pk).update(eta=now())
        job_queue.run_job(job.pk)
    found = Case.objects.filter(kind="travel_party").values_list("party", flat=True)
    assert sorted(found) == sorted([NEAR, NEAR, OTHER_NEAR])


def test_a_message_that_was_erased_is_screened_no_more(sample: Any) -> None:
    receive(naming(NEAR))
    erased(TravelRecord.objects.get())
    screened()
    assert not Case.objects.filter(kind="travel_party").exists()


def test_the_case_keeps_the_names_when_the_message_is_erased(sample: Any) -> None:
    receive(naming(NEAR))
    record = screened()
    seal_ledger(ledger=TravelEvent.LEDGER, now=now())
    erased(record)
    assert not RecordKey.objects.exists()
    assert case().party == NEAR and draw_case_evidence(case())["matches"]


def test_a_record_that_was_altered_is_not_signed_anew(sample: Any) -> None:
    receive(naming(NEAR))
    TravelRecord.objects.update(amount="1")
    while run_job().state == JobState.PENDING:
        pass
    assert "failed its integrity check" in case().told[0]["sentence"]
    assert TravelRecord.objects.get().steps == 1


def test_a_lost_screen_is_planned_again(sample: Any) -> None:
    receive(naming(NEAR))
    Job.objects.all().delete()
    tasks.plan_lost_screenings("", now())
    assert not Job.objects.filter(name=tasks.SCREEN_JOB).exists()
    tasks.plan_lost_screenings("", now() + LATE)
    run_job()
    tasks.plan_lost_screenings("", now() + LATE)
    assert case() and not Job.objects.filter(name=tasks.SCREEN_JOB, state=JobState.PENDING).exists()


@pytest.mark.parametrize(
    ("outcome", "reason"), [("REJECT", "LISTED_PARTY"), ("APPROVE", "DIFFERENT_PARTY")]
)
def test_a_listed_name_is_decided_by_two_officers_either_way(
    sample: Any, outcome: str, reason: str
) -> None:
    receive(naming(LISTED))
    screened()
    new_case = case()
    decide_by_two(new_case, outcome, reason)
    resolution = services.load_resolution(kind="travel_party", ref=new_case.ref)
    assert resolution is not None and resolution.outcome == outcome
