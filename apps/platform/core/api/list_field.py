"""Arrays of a request, read within bounds: what is too long or too faulty costs next to nothing."""

from typing import Any

from rest_framework import serializers

MOST_FAULTY = 20  # things in a list that are told as wrong


class ListOf(serializers.ListField):
    """A JSON array of at most `max_length`; nothing else becomes one."""

    def to_internal_value(self, data: Any) -> list[Any]:
        if not isinstance(data, list):
            raise serializers.ValidationError("This must be a list.")
        if self.max_length is not None and len(data) > self.max_length:
            # before anything in it is read: what is too long is to cost nothing
            raise serializers.ValidationError(
                f"Ensure this field has no more than {self.max_length} elements."
            )
        return list(super().to_internal_value(data))

    def run_child_validation(self, data: list[Any]) -> list[Any]:
        """Return the values; what is wrong with the first MOST_FAULTY that are not good."""
        values: list[Any] = []
        faults: Any = {}
        for at, one in enumerate(data):
            try:
                values.append(self.child.run_validation(one))
            except serializers.ValidationError as error:
                faults[at] = error.detail
                if len(faults) == MOST_FAULTY:
                    break
        if faults:
            raise serializers.ValidationError(faults)
        return values
