"""Statements that are composed once give what the model's own queries give."""

import pytest

from apps.backoffice.review.models import Case
from apps.platform.db.compiled_statements import CompiledLookup
from tests.review.people import case

pytestmark = pytest.mark.django_db
COLUMNS = tuple(concrete_field.attname for concrete_field in Case._meta.concrete_fields)


def test_a_row_is_what_the_models_own_query_gives() -> None:
    new_case = case()
    stored, usual = (
        CompiledLookup(Case, by="pk", columns=COLUMNS).row(new_case.pk),
        Case.objects.get(pk=new_case.pk),
    )
    assert {name: getattr(stored, name) for name in COLUMNS} == {
        name: getattr(usual, name) for name in COLUMNS
    }
    assert stored == usual and not stored.get_deferred_fields() and not stored._state.adding


def test_a_row_that_is_not_there_is_none() -> None:
    assert CompiledLookup(Case, by="pk", columns=COLUMNS).row(1) is None


def test_a_row_is_found_by_a_column_of_text_and_by_a_reference() -> None:
    one, twin = case("1"), case("2")
    Case.objects.filter(pk=twin.pk).update(merged_into=one)
    assert CompiledLookup(Case, by="ref", columns=("pk",)).first("2") == (twin.pk,)
    assert CompiledLookup(Case, by="merged_into", columns=("pk",)).first(one.pk) == (twin.pk,)
    assert CompiledLookup(Case, by="merged_into", columns=("pk",)).first(twin.pk) is None
