"""Payment files for operators and officers: read only."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest, HttpResponse

from apps.payments.payments.pain001 import views
from apps.payments.payments.pain001.models import PaymentFile
from apps.platform.desk.record_list_admin import RecordListAdmin


@admin.register(PaymentFile)
class PaymentFileAdmin(RecordListAdmin):
    """Files: how far each is, and what became of its transactions."""

    # without it the admin's autocomplete would answer differently for this model
    search_fields = ("=digest",)

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """Show the files, fifty at a time."""
        self.require_view(request)
        file_list = views.build_file_list(views.FileListQuery.read(request.GET))
        return self.draw(request, "pain001/files.html", file_list)

    def draw_record(self, request: HttpRequest, record: PaymentFile) -> HttpResponse:
        """Show one file: its progress and the requested transactions."""
        query = views.TransactionListQuery.read(request.GET)
        return self.draw(
            request, "pain001/file.html", views.build_file_context(file=record, query=query)
        )
