"""Models that are created at once are the same as those created one after the other."""

from typing import Any

import pytest
from django.db import connection, models
from django.db.migrations import CreateModel
from django.db.migrations.state import ProjectState

from apps.platform.db.create_models import CreateModels

OWNER = CreateModel("Owner", [("id", models.AutoField(primary_key=True))])
THING = CreateModel(
    "Thing",
    [
        ("id", models.AutoField(primary_key=True)),
        ("owner", models.ForeignKey("made.Owner", models.CASCADE, related_name="things")),
        ("next", models.ForeignKey("made.Thing", models.CASCADE, null=True)),
    ],
    options={"indexes": [models.Index(fields=["owner", "next"], name="thing_by_owner")]},
)


def state_after(*operations: Any, rendered: bool) -> ProjectState:
    state = ProjectState()
    if rendered:
        assert state.apps is not None
    for operation in operations:
        operation.state_forwards("made", state)
    return state


@pytest.mark.parametrize("rendered", [True, False])
@pytest.mark.parametrize("order", [[OWNER, THING], [THING, OWNER]])
def test_the_state_is_the_same_in_any_order(rendered: bool, order: list[CreateModel]) -> None:
    at_once = state_after(CreateModels(order), rendered=rendered)
    assert at_once == state_after(OWNER, THING, rendered=rendered)
    thing = at_once.apps.get_model("made", "Thing")
    owner = at_once.apps.get_model("made", "Owner")
    assert thing._meta.get_field("owner").related_model is owner
    assert thing._meta.get_field("next").related_model is thing
    assert [relation.name for relation in owner._meta.related_objects] == ["things"]


@pytest.mark.django_db(transaction=True)
def test_the_tables_come_and_go() -> None:
    operation = CreateModels([OWNER, THING])
    before, after = ProjectState(), state_after(operation, rendered=False)
    with connection.schema_editor() as editor:
        operation.database_forwards("made", editor, before, after)
    tables = connection.introspection.table_names()
    assert {"made_owner", "made_thing"} <= set(tables)
    with connection.schema_editor() as editor:
        operation.database_backwards("made", editor, after, before)
    assert not {"made_owner", "made_thing"} & set(connection.introspection.table_names())
