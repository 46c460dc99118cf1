"""A migration operation that creates the tables of an app at once."""

from collections.abc import Sequence
from typing import Any

from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations import CreateModel
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ModelState, ProjectState


class CreateModels(Operation):
    """Migration operation: `CreateModels([CreateModel(…), …])` creates models in one step.

    After each `CreateModel` Django renders every model that is related to the new one, and nearly
    all of ours are related through the user: that takes several times as long as creating the
    tables. Here they are rendered once for all models of an app.
    """

    reduces_to_sql = True
    reversible = True

    def __init__(self, operations: Sequence[CreateModel]) -> None:
        self.operations = list(operations)

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        """Add the models to the state, and render them together."""
        keys = []
        for create in self.operations:
            model = ModelState(
                app_label,
                create.name,
                list(create.fields),
                dict(create.options),
                tuple(create.bases or ()),
                list(create.managers or ()),
            )
            key = (app_label, create.name_lower)
            state.models[key] = model
            keys.append(key)
        if state._relations is not None:  # type: ignore[attr-defined]
            for key in keys:
                state.resolve_model_relations(key)
        if "apps" in state.__dict__:
            state.reload_models(keys, delay=False)

    def database_forwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: Any,
        to_state: Any,
    ) -> None:
        """Create each table."""
        for create in self.operations:
            create.database_forwards(app_label, schema_editor, from_state, to_state)

    def database_backwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: Any,
        to_state: Any,
    ) -> None:
        """Drop each table, the last one first."""
        for create in reversed(self.operations):
            create.database_backwards(app_label, schema_editor, from_state, to_state)

    def deconstruct(self) -> tuple[str, list[Any], dict[str, Any]]:
        """Return how a migration file writes this operation."""
        return (self.__class__.__name__, [self.operations], {})

    def describe(self) -> str:
        """Name the models."""
        return f"Create {', '.join(create.name for create in self.operations)}"
