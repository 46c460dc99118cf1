"""Pages name tenants by their account; what has none stands for itself."""

from typing import Any

import pytest

from apps.access.keys import tenant_names as tenants
from apps.access.keys.models import Account
from tests.conftest import NOON


def test_accounts_are_named_in_one_query(db: Any, django_assert_num_queries: Any) -> None:
    alice, bob = (Account.objects.create(name=n, created_at=NOON) for n in ("Alice", "Bob"))
    with django_assert_num_queries(1):
        tenant_names = tenants.load_tenant_names({alice.ref, bob.ref, "account:999999"})
    assert tenant_names == {alice.ref: "Alice", bob.ref: "Bob"}
    assert tenants.load_tenant_name(bob.ref) == "Bob"


@pytest.mark.parametrize(
    "ref",
    [
        "",
        "payer:0xabc",
        "account:",
        "account:-1",
        "account:²",
        "account:٣",
        "7",
        f"account:{'9' * 19}",
    ],
)
def test_what_is_no_account_stands_for_itself(db: Any, ref: str) -> None:
    Account.objects.create(pk=7, name="Alice", created_at=NOON)
    assert tenants.load_tenant_name(ref) == ref


def test_a_client_is_an_account_and_not_what_is_owned_apart_from_it(db: Any) -> None:
    alice = Account.objects.create(pk=7, name="Alice", created_at=NOON)
    assert tenants.is_client(alice.ref)
    for other in ("", "7", "account:8", "payer:0xabc", tenants.build_hidden_owner(alice.ref)):
        assert not tenants.is_client(other), other


def test_the_longest_id_of_a_row_is_looked_up(db: Any) -> None:
    Account.objects.create(pk=10**18 - 1, name="Zed", created_at=NOON)
    assert tenants.load_tenant_name(f"account:{'9' * 18}") == "Zed"
