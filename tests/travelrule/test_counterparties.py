"""Messages that a counterparty of the directory proves by a secret of its own."""

import json
from datetime import timedelta
from typing import Any

import pytest

from apps.payments.travelrule.models import TravelRecord
from apps.platform.common.clock import now
from tests.platform.tampering import sql
from tests.travelrule.directory import LEI, NAME, OTHER_LEI, enter
from tests.travelrule.test_receive import message, post, signed

pytestmark = pytest.mark.django_db
KEY = "k" * 40
DAY = timedelta(days=1)


def named(name: str, lei: str = "") -> dict[str, Any]:
    """A message whose originating VASP is called so."""
    entry = {"legalPersonName": name, "legalPersonNameIdentifierType": "LEGL"}
    legal: dict[str, Any] = {"name": {"nameIdentifier": [entry]}}
    if lei:
        legal["nationalIdentification"] = {
            "nationalIdentifier": lei, "nationalIdentifierType": "LEIX"
        }  # fmt: skip
    return message(originatingVASP={"originatingVASP": {"legalPerson": legal}})


def take(told: dict[str, Any], key: str = KEY) -> Any:
    raw = json.dumps(told).encode()
    return post(raw, signature=signed(raw, key))


@pytest.mark.parametrize(
    ("name", "lei", "warns"),
    [
        (NAME, LEI, False),
        (NAME.upper(), "", False),
        ("Mallory Ltd", "", True),
        ("Mallory Ltd", LEI, False),
        (NAME, OTHER_LEI, True),
    ],
)
def test_the_sender_is_the_one_whose_secret_proves_it_whatever_it_writes(
    sample: Any, name: str, lei: str, warns: bool
) -> None:
    enter(secret=KEY)
    answer = take(named(name, lei))
    assert answer.status_code == 201, answer.content
    record = TravelRecord.objects.get()
    assert (record.counterparty, record.counterparty_lei) == (NAME, LEI)
    assert record.sender == f"vasp:{LEI}"
    assert ("SENDER" in [warning["rule"] for warning in answer.json()["warnings"]]) is warns


def test_by_the_shared_key_the_sender_is_the_one_that_the_message_names(sample: Any) -> None:
    enter(secret=KEY)
    raw = json.dumps(named("Mallory Ltd")).encode()
    assert post(raw).status_code == 201
    record = TravelRecord.objects.get()
    assert (record.counterparty, record.sender) == ("Mallory Ltd", "counterparty:shared")


@pytest.mark.parametrize(("last", "status"), [(0, 201), (-1, 401)])
def test_a_secret_proves_nothing_after_the_last_day_of_its_entry(
    sample: Any, last: int, status: int
) -> None:
    enter(secret=KEY, valid_until=now().date() + last * DAY)
    assert take(message()).status_code == status


def test_the_older_secret_proves_until_it_is_dropped(sample: Any) -> None:
    enter(secret=KEY)
    enter(secret="n" * 40)
    assert take(message()).status_code == 201
    enter(secret="", drop_older=True)
    assert take(message(transferAmount={})).status_code == 401
    assert take(message(), "n" * 40).status_code == 200


def test_an_entry_that_was_altered_lets_nobody_in(sample: Any) -> None:
    enter(secret=KEY)
    sql("UPDATE travelrule_vasp SET name = 'Another'")
    assert take(message()).status_code == 401
    assert not TravelRecord.objects.exists()


def test_each_counterparty_has_messages_of_its_own(sample: Any) -> None:
    enter(secret=KEY)
    enter(secret="o" * 40, lei=OTHER_LEI, name="Other Ltd", wallets=[])
    assert [take(message(), one).status_code for one in (KEY, "o" * 40, KEY)] == [201, 201, 200]
    assert TravelRecord.objects.count() == 2
