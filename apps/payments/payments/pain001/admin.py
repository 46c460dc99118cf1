"""Payment files for operators and officers: read only."""

from typing import Any

from django.contrib import admin
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import path

from apps.payments.payments.pain001 import pages
from apps.payments.payments.pain001.models import PaymentFile
from apps.platform.desk.base_admin import ReadOnlyAdmin
from apps.platform.desk.view_guards import require_permission


@admin.register(PaymentFile)
class PaymentFileAdmin(ReadOnlyAdmin):
    """Files: how far each is, and what became of its transactions."""

    # without it the admin's autocomplete would answer differently for this model
    search_fields = ("=digest",)

    def get_urls(self) -> list[Any]:
        """Give the list, and a file's page."""
        name = "pain001_paymentfile"
        return [
            path("", self.page_view(self.changelist_view), name=f"{name}_changelist"),
            path("<id:object_id>/", self.page_view(self.change_view), name=f"{name}_change"),
        ]

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """Show the files, fifty at a time."""
        require_permission(request, "pain001.view_paymentfile")
        shown = pages.build_file_list(pages.FileListQuery.read(request.GET))
        return self.draw(request, "pain001/files.html", shown)

    def change_view(
        self, request: HttpRequest, object_id: Any, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """Show one file: how far it is, and the transactions asked for."""
        require_permission(request, "pain001.view_paymentfile")
        file = PaymentFile.objects.filter(pk=int(object_id)).first()
        if file is None:
            raise Http404
        shown = pages.build_file_context(
            file=file, asked=pages.TransactionListQuery.read(request.GET)
        )
        return self.draw(request, "pain001/file.html", shown)
