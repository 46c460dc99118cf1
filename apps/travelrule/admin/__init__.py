"""The desk's pages of the travel rule."""

from apps.travelrule.admin.engagements import EngagementAdmin
from apps.travelrule.admin.records import TravelRecordAdmin
from apps.travelrule.admin.samples import DrawnSampleAdmin
from apps.travelrule.directory.admin import VaspAdmin, VaspChangeAdmin

__all__ = [
    "DrawnSampleAdmin",
    "EngagementAdmin",
    "TravelRecordAdmin",
    "VaspAdmin",
    "VaspChangeAdmin",
]
