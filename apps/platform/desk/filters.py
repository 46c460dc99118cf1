"""Filters of the desk's ledgers."""

from typing import Any

from django.contrib import admin


class ActorFilter(admin.RelatedOnlyFieldListFilter):
    """Show only people who have acted."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.title = "who"
