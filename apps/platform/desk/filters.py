"""Filters of the desk's ledgers."""

from typing import Any

from django.contrib import admin


class ActorFilter(admin.RelatedOnlyFieldListFilter):
    """Only people who did something."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.title = "who"
