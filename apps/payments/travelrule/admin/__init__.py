"""The desk's pages of the travel rule."""

from apps.payments.travelrule.admin.engagements import EngagementAdmin
from apps.payments.travelrule.admin.records import TravelRecordAdmin
from apps.payments.travelrule.admin.samples import DrawnSampleAdmin
from apps.payments.travelrule.directory.admin import VaspAdmin, VaspChangeAdmin

__all__ = [
    "DrawnSampleAdmin",
    "EngagementAdmin",
    "TravelRecordAdmin",
    "VaspAdmin",
    "VaspChangeAdmin",
]
