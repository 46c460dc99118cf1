"""Pages of travel-rule records: the list, one record in full, raw messages, and exports."""

from datetime import datetime
from typing import Any, cast

from django.contrib import admin, messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseRedirect,
    StreamingHttpResponse,
)
from django.urls import path, reverse

from apps.access.keys import tenant_names as tenants
from apps.payments.travelrule.engagements.scope import load_examiner_access, select_visible_records
from apps.payments.travelrule.export.streams import CONTENT_TYPES, VERIFIER
from apps.payments.travelrule.labels import STATUS_LABELS
from apps.payments.travelrule.models import Engagement, RecordKey, TravelRecord
from apps.payments.travelrule.proofs.merkle_tiles import TreeBroken
from apps.payments.travelrule.selectors.verified_records import load_verified_events
from apps.payments.travelrule.services import samples
from apps.payments.travelrule.views import archive, examiner_overview, record_list, spreadsheet
from apps.payments.travelrule.views.ivms_message import load_encrypted_part
from apps.payments.travelrule.views.record_page import build_record_context
from apps.platform.common.clock import now
from apps.platform.common.problems import DomainError
from apps.platform.crypto.encryption import DecryptionFailed
from apps.platform.desk.base_admin import ReadOnlyAdmin
from apps.platform.desk.view_guards import post_only_step

NAME = "travelrule_travelrecord"
CONTACT_HINT = "Contact an administrator."


@admin.register(TravelRecord)
class TravelRecordAdmin(ReadOnlyAdmin):
    """Every record that its reader may see, with what proves it."""

    # without it the admin's autocomplete would answer differently for this model
    search_fields = ("=tx_hash",)

    def get_urls(self) -> list[Any]:
        """Give the list, the overview, a record's page, and what is taken of it; no others."""
        wrap, text = self.admin_site.admin_view, "<id:object_id>/"
        return [
            # what writes a record, of an export or a filter, is a POST: a link on another site
            # must not start it
            path("", self.page_view(self.changelist_view), name=f"{NAME}_changelist"),
            path("overview/", self.page_view(self.overview), name=f"{NAME}_overview"),
            path("verifier/", self.page_view(self.verifier), name=f"{NAME}_verifier"),
            path("save/", wrap(post_only_step(self.save)), name=f"{NAME}_save"),
            path("table/", wrap(post_only_step(self.table)), name=f"{NAME}_table"),
            path(text, self.page_view(self.change_view), name=f"{NAME}_change"),
            path(f"{text}raw/", self.page_view(self.raw), name=f"{NAME}_raw"),
            path(f"{text}zip/", wrap(post_only_step(self.zip)), name=f"{NAME}_zip"),
        ]

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """Show the records that the address asks for, fifty at a time."""
        return self.list_page(request, record_list.RecordQuery.read(request.GET))

    def list_page(
        self,
        request: HttpRequest,
        query: record_list.RecordQuery,
        refused: DomainError | None = None,
        typed: Any = None,
    ) -> HttpResponse:
        """Draw the list; after a step that was refused, with what was typed."""
        seen, engagement = self._seen(request)
        record_page = record_list.build_record_page(query, seen)
        # an examiner chooses among the institutions of the engagement, and learns of no other
        if engagement is not None and engagement.institutions:
            tenant_names = tenants.load_tenant_names(engagement.institutions)
            owners = {
                institution: tenant_names.get(institution, institution)
                for institution in engagement.institutions
            }
        else:
            owners = tenants.list_tenant_choices(query.owner)
        filter_choices = [
            ("role", "Either side", record_list.ROLE_LABELS, query.role),
            ("owner", "Any institution", owners, query.owner),
            ("direction", "Both directions", record_list.DIRECTION_LABELS, query.direction),
            ("status", "Any status", STATUS_LABELS, query.status),
            ("applies", "Applies or not", record_list.APPLIES_LABELS, query.applies),
            ("reason", "Any reason", record_list.REASON_LABELS, query.reason),
        ]
        shown = {
            "title": "Travel-rule records",
            "asked": query,
            "page": record_page,
            "choices": filter_choices,
            "here": query.address(),
            "may_draw": request.user.has_perm("travelrule.draw_sample"),
            "may_save": engagement is not None,
            "may_export": request.user.has_perm("travelrule.export_travelrecord"),
            "refused": refused,
            "typed": typed or {},
            **query.turns(record_page.following),
        }
        status = refused.status if refused else 200
        return self.draw(request, "travelrule/list.html", shown, status)

    def overview(self, request: HttpRequest) -> HttpResponse:
        """Show which periods there are, what was flagged, and how to verify."""
        self._seen(request)
        user = cast(User, request.user)
        shown = {
            "title": "Travel rule: overview",
            "work": examiner_overview.build_overview_context(user=user, now=now()),
        }
        return self.draw(request, "travelrule/overview.html", shown)

    def verifier(self, request: HttpRequest) -> HttpResponse:
        """Return the program that verifies exports offline."""
        self._seen(request)
        if not request.user.has_perm("travelrule.export_travelrecord"):
            raise PermissionDenied
        answer = HttpResponse(VERIFIER.read_bytes(), content_type="text/x-python; charset=utf-8")
        answer["Content-Disposition"] = f'attachment; filename="{VERIFIER.name}"'
        return answer

    def save(self, request: HttpRequest) -> HttpResponse:
        """Store the list's filter for the examiner's engagement."""
        self._seen(request)
        address, name = request.POST.get("asked", ""), request.POST.get("name", "")
        query = samples.parse_filter(address)
        try:
            user = cast(User, request.user)
            samples.save_filter(user=user, address=address, name=name, now=now())
        except DomainError as error:
            return self.list_page(request, query, error, request.POST)
        sentence = "The filter has been saved for your engagement."
        messages.success(request, sentence, extra_tags="stored-travel-filter")
        return HttpResponseRedirect(reverse(f"admin:{NAME}_changelist") + query.address())

    def table(self, request: HttpRequest) -> HttpResponse | StreamingHttpResponse:
        """Stream what the filter of the list finds as a spreadsheet."""
        seen, _ = self._seen(request)
        if not request.user.has_perm("travelrule.export_travelrecord"):
            raise PermissionDenied
        query = samples.parse_filter(request.POST.get("asked", ""))
        user, moment = cast(User, request.user), now()
        about = {"filter": query.address()} | _describe_engagement(user, moment)
        form, rows = request.POST.get("form", ""), query.narrowed(seen)
        try:
            spreadsheet_table = spreadsheet.start_table(
                rows=rows, form=form, by=user, about=about, now=moment
            )
        except DomainError as error:
            return self.list_page(request, query, error)
        answer = StreamingHttpResponse(spreadsheet_table.stream(), content_type=CONTENT_TYPES[form])
        answer["Content-Disposition"] = f'attachment; filename="{spreadsheet_table.name}"'
        return answer

    def change_view(
        self, request: HttpRequest, object_id: Any, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """Show one record."""
        record, seen = self._one(request, object_id)
        record_context = build_record_context(
            record=record, user=cast(User, request.user), seen=seen
        )
        return self.draw(request, "travelrule/record.html", record_context)

    def raw(self, request: HttpRequest, object_id: Any) -> HttpResponse:
        """Return the received bytes of an inbound message."""
        record, _ = self._one(request, object_id)
        if not request.user.has_perm("travelrule.export_travelrecord"):
            raise PermissionDenied
        key = RecordKey.objects.filter(record=record).first()
        try:
            raw = load_encrypted_part(record, load_verified_events([record])[record.pk], key, "raw")
        except DecryptionFailed as error:
            raise Http404 from error
        if not raw:
            raise Http404
        # a stranger's bytes: never rendered by a browser on this site
        answer = HttpResponse(raw, content_type="application/octet-stream")
        answer["Content-Disposition"] = f'attachment; filename="{record.record_id}.bin"'
        return answer

    def zip(self, request: HttpRequest, object_id: Any) -> HttpResponse | StreamingHttpResponse:
        """Stream an archive with everything that is stored about a record."""
        record, _ = self._one(request, object_id)
        about = {"record": str(record.record_id)}
        return build_archive_response(
            request, [record], f"travel-record-{record.record_id}", about=about
        )

    def _seen(self, request: HttpRequest) -> tuple[QuerySet[TravelRecord], Engagement | None]:
        """Return the records that a reader sees, and their engagement; refuse who sees none."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        user, moment = cast(User, request.user), now()
        return select_visible_records(user, moment), load_examiner_access(user, moment).engagement

    def _one(
        self, request: HttpRequest, number: Any
    ) -> tuple[TravelRecord, QuerySet[TravelRecord]]:
        seen, _ = self._seen(request)
        record = seen.filter(pk=int(number)).first()
        if record is None:
            raise Http404
        return record, seen


def build_archive_response(
    request: HttpRequest,
    records: list[TravelRecord],
    name: str,
    *,
    about: dict[str, Any],
    sample: dict[str, Any] | None = None,
) -> HttpResponse | StreamingHttpResponse:
    """Return an archive of records as a response; PermissionDenied without the permission.

    404 without records. If the records cannot be proved, redirect to their page with the reason.
    """
    if not request.user.has_perm("travelrule.export_travelrecord"):
        raise PermissionDenied
    if not records:
        raise Http404
    user, moment = cast(User, request.user), now()
    about = about | _describe_engagement(user, moment)
    try:
        stream = archive.start_archive(
            records=records, by=user, about=about, sample=sample, now=moment
        )
    except TreeBroken:
        messages.error(
            request, "The record cannot be proved because ledger seals are missing. " + CONTACT_HINT
        )
        return HttpResponseRedirect("../")
    answer = StreamingHttpResponse(stream, content_type="application/zip")
    answer["Content-Disposition"] = f'attachment; filename="{name}.zip"'
    return answer


def _describe_engagement(user: User, moment: datetime) -> dict[str, Any]:
    engagement = load_examiner_access(user, moment).engagement
    if engagement is None:
        return {}
    return {"engagement": engagement.pk, "authority": engagement.authority}
