"""Pages of the registrar's imports: upload a file, preview each line's result, start, follow."""

from typing import Any, cast

from django.contrib import admin, messages
from django.contrib.auth.models import User
from django.http import (
    HttpRequest,
    HttpResponse,
    HttpResponseRedirect,
    StreamingHttpResponse,
)
from django.shortcuts import get_object_or_404
from django.urls import path, reverse
from django.views.decorators.http import require_http_methods

from apps.compliance.payees.forms import UploadForm
from apps.compliance.payees.imports import services
from apps.compliance.payees.imports.result_csv import stream_result_csv
from apps.compliance.payees.models import WalletImport
from apps.compliance.payees.views import import_pages
from apps.platform.common.clock import now
from apps.platform.common.problems import DomainError
from apps.platform.desk import list_pages
from apps.platform.desk.record_list_admin import RecordListAdmin
from apps.platform.desk.view_guards import post_only_step, require_permission

READS = ("GET", "HEAD", "POST")


@admin.register(WalletImport)
class WalletImportAdmin(RecordListAdmin):
    """Imports: uploaded, checked, started and worked off; never edited, never removed."""

    # without it the admin's autocomplete would answer differently for this model
    search_fields = ("=digest",)
    list_title = "Wallet imports"
    list_template = "payees/imports.html"
    list_query = list_pages.ListQuery
    record_related = ("uploaded_by", "started_by")
    steps = ("result", "start", "stop")

    def get_urls(self) -> list[Any]:
        """Give the list, the upload, an import's page with its result, and its steps."""
        wrap, name = self.admin_site.admin_view, "registry_walletimport"
        return [
            path("upload/", wrap(require_http_methods(READS)(self.upload)), name=f"{name}_upload"),
            path("<id:pk>/again/", wrap(post_only_step(self.try_again)), name=f"{name}_again"),
            *super().get_urls(),
        ]

    def build_page(self, query: list_pages.ListQuery, user: User) -> list_pages.ListPage:
        return import_pages.build_import_page(query)

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """Show the imports, fifty at a time."""
        may = request.user.has_perm("registry.register_wallet")
        return super().changelist_view(request, {"may_upload": may})

    def draw_record(self, request: HttpRequest, record: WalletImport) -> HttpResponse:
        """Show one import: its progress, the outcomes of its lines, and the requested lines."""
        query = import_pages.ImportLinesQuery.read(request.GET)
        import_context = import_pages.build_import_context(batch=record, query=query)
        import_context["may_start"] = request.user.has_perm("registry.register_wallet")
        return self.draw(request, "payees/import.html", import_context)

    def result(self, request: HttpRequest, pk: int) -> StreamingHttpResponse:
        """Give the lines with what became of them as a CSV, made while it is read."""
        require_permission(request, "registry.view_walletimport")
        batch = self.get_record(request, pk)
        # ten thousand lines are streamed and not built in memory
        answer = StreamingHttpResponse(
            stream_result_csv(batch), content_type="text/csv; charset=utf-8"
        )
        answer["Content-Disposition"] = f'attachment; filename="import-{batch.pk}.csv"'
        return answer

    def upload(self, request: HttpRequest) -> HttpResponse:
        """Store a file and plan its check; a repeated file leads to the existing import."""
        require_permission(request, "registry.register_wallet")
        form = UploadForm(request.POST or None, request.FILES or None)
        if request.method == "POST" and form.is_valid():
            uploaded = form.cleaned_data["file"]
            try:
                batch, new = services.upload_wallet_file(
                    # at most what the web server takes of a form; parse_lines refuses more than
                    # LARGEST
                    content=uploaded.read(),
                    name=uploaded.name,
                    by=cast(User, request.user),
                    now=now(),
                )
            except DomainError as error:
                form.add_error("file", error.detail)
            else:
                if not new:
                    messages.warning(request, import_pages.describe_repeated_upload(batch))
                return _redirect_to_import(batch.pk)
        shown = {"title": "Import wallets", "form": form, **import_pages.BOUNDS}
        return self.draw(request, "payees/upload.html", shown)

    def start(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Start an import whose lines are checked."""
        require_permission(request, "registry.register_wallet")
        batch = get_object_or_404(WalletImport, pk=pk)
        try:
            services.start_import(batch=batch, by=cast(User, request.user), now=now())
            messages.success(request, "Import started. Its wallets are being registered.")
        except DomainError as error:
            messages.error(request, error.detail)
        return _redirect_to_import(pk)

    def stop(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Stop a running import; it can be continued."""
        require_permission(request, "registry.register_wallet")
        batch = get_object_or_404(WalletImport, pk=pk)
        try:
            services.stop_import(batch=batch)
            messages.success(
                request, "Import stopped. Wallets that are already registered stay registered."
            )
        except DomainError as error:
            messages.error(request, error.detail)
        return _redirect_to_import(pk)

    def try_again(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Retry the lines for which GLEIF or the lists were not available."""
        require_permission(request, "registry.register_wallet")
        batch = get_object_or_404(WalletImport, pk=pk)
        try:
            again = services.retry_unchecked_lines(batch=batch, now=now())
            messages.success(request, f"{again} lines will be retried.")
        except DomainError as error:
            messages.error(request, error.detail)
        return _redirect_to_import(pk)


def _redirect_to_import(pk: int) -> HttpResponse:
    return HttpResponseRedirect(reverse("admin:registry_walletimport_change", args=[pk]))
