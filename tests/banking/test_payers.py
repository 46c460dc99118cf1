"""Who pays a tagged deposit, and whom its note names, is looked at before anything is quoted."""

from decimal import Decimal
from typing import Any

import pytest

from apps.aml.models import AmlScreen, WalletProfile
from apps.banking import onward
from apps.banking.models import BankTransaction
from apps.banking.projection import compare
from apps.banking.rules.payers import Payer, Place, Seen, payer_of, standing
from apps.core.clock import now
from apps.review import actions
from apps.review.models import Case
from apps.sar.models import SarEntry
from apps.stability.models import Quote
from tests.banking.telling import LISTED, WALLET, deliver, event, tagged, update
from tests.review.people import OFFICER, person

NOTE = "Seen with the bank: it is another of the same name."


def the(said: dict[str, Any]) -> BankTransaction:
    return BankTransaction.objects.get(resource_id=said["resourceId"])


def living(country: str) -> dict[str, Any]:
    place = {"address1": "1 Main Street", "city": "City", "country": country}
    return {"details": {"address": place}}


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("told", "decision", "risk"),
    [
        ({"counterpartyName": "Lazarus Group"}, "BLOCKED", "HIGH"),
        ({"counterpartyNickname": "Lazarus Group"}, "BLOCKED", "HIGH"),
        ({"counterpartyName": "Grey Plover", **living("KP")}, "BLOCKED", "HIGH"),
        ({"counterpartyName": "Grey Plover", **living("CU")}, "HOLD", "MEDIUM"),
    ],
)
def test_a_deposit_of_somebody_against_whom_the_screen_stands_is_halted(
    sample: Any, told: dict[str, Any], decision: str, risk: str
) -> None:
    said = tagged(**told)
    answer = deliver(said)
    assert (answer["action"], answer["rule"]) == ("held", "BR-17")
    assert "quoteId" not in answer and not Quote.objects.exists()
    case = Case.objects.get(kind="bank_payment")
    assert (case.risk, case.evidence["decision"]) == (risk, decision)
    entries = [one.data["party"] for one in SarEntry.objects.filter(kind="bank_payment")]
    named = next(iter(told.values()))
    assert entries == ([named] if decision == "BLOCKED" else [])
    assert the(said).state == "HALTED" and list(compare(lambda _: None)) == []


@pytest.mark.django_db
def test_a_deposit_of_somebody_against_whom_nothing_stands_is_routed(sample: Any) -> None:
    told = {"counterpartyName": "Grey Plover Limited", **living("DE")}
    assert deliver(tagged(amount=999, **told))["action"] == "routed"


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("note", "action"),
    [("invoice 7 for Lazarus Group", "held"), ("invoice 7 for Grey Plover Limited", "routed")],
)
def test_whom_a_note_names_is_held_against_the_lists(sample: Any, note: str, action: str) -> None:
    said = event(patch={"note": f"{note} svc:{WALLET}"})
    assert deliver(said)["action"] == action
    assert Case.objects.count() == (action == "held")
    if action == "held":
        assert "Lazarus" in "".join(Case.objects.get().evidence["payer"]["named"])


def codes_of(case: Case) -> set[str]:
    """The rows of the table of who pays that stand against a deposit, as its case has them."""
    return {one[:4] for one in case.evidence["checks"] if one.startswith("BO-")}


INVOICE = "invoice 4711 for goods delivered; "


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("name", "codes"),
    [
        ("Borealis Elm Trading" + " " * 190 + "Lazarus Group", {"BO-2"}),
        ("Grey Plover" + " " * 400 + "Limited", set()),
        ("Grey Plover " + "x" * 289, {"BO-7"}),
        (("Grey Plover Trading " * 15).strip() + " x " + "Lazarus Group", {"BO-2", "BO-7"}),
    ],
)
def test_a_name_is_never_routed_on_a_part_of_it(sample: Any, name: str, codes: set[str]) -> None:
    answer = deliver(tagged(counterpartyName=name))
    assert answer["action"] == ("held" if codes else "routed")
    assert [codes_of(one) for one in Case.objects.all()] == ([codes] if codes else [])


@pytest.mark.parametrize(("letters", "overlong"), [(300, False), (301, True)])
def test_a_name_is_read_whole_up_to_300_characters(letters: int, overlong: bool) -> None:
    assert payer_of({"counterpartyName": f" {'x' * letters}  "}).overlong is overlong


@pytest.mark.parametrize(
    ("note", "overlong"),
    [("ab " * 333, False), ("ab " * 333 + "ab", True), ("x" * 400, False), ("x" * 401, True)],
)
def test_a_note_is_read_whole_up_to_1000_characters(note: str, overlong: bool) -> None:
    assert payer_of({"note": note}).overlong is overlong


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("note", "codes"),
    [
        (INVOICE * 12 + "for Lazarus Group", {"BO-3"}),
        ("rent for the flat by the river " * 15 + "cement from Lazarus Group by ship", {"BO-3"}),
        ("x" * 395 + " Lazarus Group", {"BO-3", "BO-7"}),
        (INVOICE * 40 + "for Lazarus Group", {"BO-7"}),
        (INVOICE * 12 + "for Grey Plover Limited", set()),
    ],
)
def test_a_note_is_never_routed_on_a_part_of_it(sample: Any, note: str, codes: set[str]) -> None:
    answer = deliver(event(patch={"note": f"{note} svc:{WALLET}"}))
    assert answer["action"] == ("held" if codes else "routed")
    assert [codes_of(one) for one in Case.objects.all()] == ([codes] if codes else [])


def at(country: str) -> dict[str, Any]:
    return {"address": {"country": country}}


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("details", "risk"),
    [
        (at("DE") | {"internationalWireRoutingInfo": {"bankDetails": {"bankCountry": "IR"}}},
         "HIGH"),
        (at("DE") | {"electronicRoutingInfo": at("KP")}, "HIGH"),
        (at("KP") | {"electronicRoutingInfo": at("DE")}, "HIGH"),
        ({"internationalWireRoutingInfo": {"swiftCode": "MELIIRTH"}}, "HIGH"),
        (at("DE") | {"internationalWireRoutingInfo": {"iban": "IR062960000000100324200001"}},
         "HIGH"),
        (at("DE") | {"electronicRoutingInfo": at("CU")}, "MEDIUM"),
        (at("DE") | {"internationalWireRoutingInfo": {"swiftCode": "COBADEFFXXX"},
                     "electronicRoutingInfo": at("FR")}, ""),
    ],
)  # fmt: skip
@pytest.mark.parametrize("name", ["Grey Plover Limited", None])
def test_the_gravest_of_all_countries_of_a_payer_decides(
    sample: Any, details: dict[str, Any], risk: str, name: str | None
) -> None:
    told = {"counterpartyName": name} if name else {}
    answer = deliver(tagged(details=details, **told))
    assert answer["action"] == ("held" if risk else "routed")
    assert [one.risk for one in Case.objects.all()] == ([risk] if risk else [])
    entries = [one.data["facts"]["country"] in ("IR", "KP") for one in SarEntry.objects.all()]
    assert entries == ([True] if risk == "HIGH" else [])


@pytest.mark.django_db
def test_a_deposit_for_a_listed_wallet_is_of_the_gravest_risk_and_in_the_sar_log(
    sample: Any,
) -> None:
    said = tagged(LISTED)
    deliver(said)
    case, entry = Case.objects.get(kind="bank_payment"), SarEntry.objects.get()
    assert (case.risk, case.needs_second) == ("HIGH", True)
    assert (entry.kind, entry.data["party"], entry.data["sanctions"]) == (
        "bank_payment", LISTED, True,
    )  # fmt: skip
    assert entry.data["facts"]["reference"] == said["resourceId"] and entry.data["lists"]


@pytest.mark.django_db
def test_a_deposit_that_goes_enters_the_profiles_of_payer_and_wallet_once(sample: Any) -> None:
    said = tagged(counterpartyName="Grey Plover Limited", status="pending")
    deliver(said)
    deliver(update(said, status="sent"))
    screen = AmlScreen.objects.get()
    assert screen.counted and screen.counterparty == WALLET
    held = WalletProfile.objects.held((screen.wallet, WALLET))
    assert [one.profile.count for one in held.values()] == [1, 1]
    assert "Plover" not in screen.wallet


@pytest.mark.django_db
def test_a_deposit_that_is_halted_enters_no_profile(sample: Any) -> None:
    deliver(tagged(counterpartyName="Lazarus Group"))
    assert not any(one.profile.count for one in WalletProfile.objects.all())


@pytest.mark.django_db
@pytest.mark.parametrize("again", ["the same", "another note"])
def test_what_an_officer_saw_and_released_goes_and_what_changed_since_does_not(
    sample: Any, again: str
) -> None:
    said = tagged(counterpartyName="Grey Plover", **living("CU"))
    deliver(said)
    actions.decide(
        case=Case.objects.get(), by=person("olga", OFFICER), outcome="APPROVE",
        reason_code="CLEARED", note=NOTE, now=now(),
    )  # fmt: skip
    if again == "another note":
        deliver(update(said, 3, note=f"something else svc:{WALLET}"))
    onward.again(str(the(said).pk), now())
    assert the(said).state == ("ROUTED" if again == "the same" else "HALTED")


def test_nobody_releases_what_blocks() -> None:
    seen = Seen(Decimal(5000), blocked=True, flagged=True)
    assert [one.code for one in standing(seen, cleared=CODES)] == ["BO-1"]


BERN = {"city": "Bern", "country": "ch"}
CODES = frozenset({"BO-1", "BO-2", "BO-3", "BO-4", "BO-5", "BO-6", "BO-7", "BO-8"})


@pytest.mark.parametrize(
    ("seen", "codes"),
    [
        ({}, []),
        ({"blocked": True, "flagged": True}, ["BO-1", "BO-2"]),
        ({"aml": "BLOCK"}, ["BO-5"]),
        ({"aml": "FLAG"}, ["BO-6"]),
        ({"named": ("x",)}, ["BO-3"]),
        ({"overlong": True}, ["BO-7"]),
        ({"unscreened": True}, ["BO-8"]),
        ({"known": False, "amount": Decimal("999.99")}, []),
        ({"known": False, "amount": Decimal(1000)}, ["BO-4"]),
        ({"known": False, "amount": Decimal(1000), "ours": True}, []),
    ],
)
def test_what_stands_against_a_deposit(seen: dict[str, Any], codes: list[str]) -> None:
    assert [one.code for one in standing(Seen(**{"amount": Decimal(5000)} | seen))] == codes


@pytest.mark.parametrize(
    ("state", "payer"),
    [
        ({}, Payer()),
        ({"counterpartyName": 7, "details": []}, Payer()),
        (
            {"counterpartyName": " Ada ", "counterpartyNickname": "Ada", "counterpartyId": "c-1"},
            Payer(("Ada",), key=("c-1",)),
        ),
        (
            {"details": {"internationalWireRoutingInfo": {"iban": "DE89370400440532013000"}}},
            Payer(places=(Place("DE"),), key=("DE89370400440532013000",)),
        ),
        (
            {"details": {"electronicRoutingInfo": {"accountNumber": "12", "address": BERN}}},
            Payer(places=(Place("CH", "Bern, ch"),), key=("12",)),
        ),
        ({"note": f"for Ada svc:{WALLET}", "externalMemo": "42"}, Payer(words="for Ada 42")),
    ],
)
def test_who_pays_is_read_as_the_bank_tells_it(state: dict[str, Any], payer: Payer) -> None:
    assert payer_of(state) == payer
