"""Pages of record samples: drawn, listed, reviewed and exported."""

from typing import Any, cast

from django.contrib import admin, messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.urls import path, reverse

from apps.payments.travelrule.admin.records import build_archive_response
from apps.payments.travelrule.engagements.scope import select_visible_records
from apps.payments.travelrule.models import DrawnSample
from apps.payments.travelrule.rules.samples import METHOD
from apps.payments.travelrule.services import samples
from apps.payments.travelrule.views.filter_labels import describe_filters
from apps.payments.travelrule.views.record_list import build_record_lines
from apps.platform.common.clock import now
from apps.platform.common.problems import DomainError
from apps.platform.desk import list_pages
from apps.platform.desk.base_admin import ReadOnlyAdmin
from apps.platform.desk.view_guards import post_only_step

NAME = "travelrule_drawnsample"


@admin.register(DrawnSample)
class DrawnSampleAdmin(ReadOnlyAdmin):
    """Samples that were drawn, each with its seed."""

    # without it the admin's autocomplete would answer differently for this model
    search_fields = ("=seed",)

    def get_urls(self) -> list[Any]:
        wrap, text = self.admin_site.admin_view, "<id:object_id>/"
        return [
            path("", self.page_view(self.changelist_view), name=f"{NAME}_changelist"),
            path("draw/", wrap(post_only_step(self.take)), name=f"{NAME}_draw"),
            path(text, self.page_view(self.change_view), name=f"{NAME}_change"),
            path(f"{text}zip/", wrap(post_only_step(self.zip)), name=f"{NAME}_zip"),
        ]

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """Show the samples that the reader sees, and a form to draw one."""
        return self._list(request)

    def take(self, request: HttpRequest) -> HttpResponse:
        """Draw a sample; a refusal shows what was typed again."""
        if not request.user.has_perm("travelrule.draw_sample"):
            raise PermissionDenied
        number, bound = request.POST.get("wanted", ""), request.POST.get("bound", "")
        try:
            sample = samples.draw_sample(
                user=cast(User, request.user),
                address=request.POST.get("asked", ""),
                wanted=int(list_pages.parse_row_number_place(number) or 0),
                seed=request.POST.get("seed", ""),
                bound=int(bound) if list_pages.parse_row_number_place(bound) else None,
                now=now(),
            )
        except DomainError as error:
            return self._list(request, error, request.POST)
        sentence = "The sample was selected and saved with its seed."
        messages.success(request, sentence, extra_tags="stored-travel-sample")
        return HttpResponseRedirect(reverse(f"admin:{NAME}_change", args=[sample.pk]))

    def change_view(
        self, request: HttpRequest, object_id: Any, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """Show the records of a sample, fifty at a time, in the order drawn."""
        sample, records = self._one(request, object_id)
        begins = int(list_pages.parse_row_number_place(request.GET.get("after", "")) or 0)
        rows = build_record_lines(records[begins : begins + list_pages.PAGE])
        following = begins + list_pages.PAGE
        shown = {
            "title": f"Sample {sample.pk}",
            "sample": sample,
            "words": describe_filters(samples.parse_filter(sample.asked)),
            "rows": rows,
            "first": begins,
            # drawn under another scope, or not visible any more
            "gone": len(sample.picks) - len(records),
            "method": METHOD,
            "next_page": f"?after={following}" if following < len(records) else "",
            "first_page": "?" if begins else "",
            "may_draw": request.user.has_perm("travelrule.draw_sample"),
            "may_export": request.user.has_perm("travelrule.export_travelrecord"),
        }
        return self.draw(request, "travelrule/sample.html", shown)

    def zip(self, request: HttpRequest, object_id: Any) -> HttpResponseBase:
        """Stream all that is kept of the records of a sample."""
        sample, records = self._one(request, object_id)
        how = {
            "sample": sample.pk,
            "filter": sample.asked,
            "seed": sample.seed,
            "method": sample.method,
            "bound": sample.bound,
            "population": sample.population,
        }
        about = {"drawn": [str(record.record_id) for record in records]}
        return build_archive_response(
            request, records, f"travel-sample-{sample.pk}", about=about, sample=how
        )

    def _list(
        self, request: HttpRequest, refused: DomainError | None = None, typed: Any = None
    ) -> HttpResponse:
        if not self.has_view_permission(request):
            raise PermissionDenied
        rows = samples.select_visible_samples(cast(User, request.user), now())
        after = list_pages.parse_row_number_place(request.GET.get("after", ""))
        if after:
            rows = rows.filter(pk__lt=int(after))
        drawn_samples, last = list_pages.take_page(rows.order_by("-pk"))
        shown = {
            "title": "Samples of records",
            "rows": [
                (sample, describe_filters(samples.parse_filter(sample.asked)))
                for sample in drawn_samples
            ],
            "next_page": f"?after={last.pk}" if last else "",
            "first_page": "?" if after else "",
            "may_draw": request.user.has_perm("travelrule.draw_sample"),
            "refused": refused,
            "typed": typed or {},
        }
        status = refused.status if refused else 200
        return self.draw(request, "travelrule/samples.html", shown, status)

    def _one(self, request: HttpRequest, number: Any) -> tuple[DrawnSample, list[Any]]:
        if not self.has_view_permission(request):
            raise PermissionDenied
        user, moment = cast(User, request.user), now()
        sample = samples.select_visible_samples(user, moment).filter(pk=int(number)).first()
        if sample is None:
            raise Http404
        return sample, samples.load_sampled_records(sample, select_visible_records(user, moment))
