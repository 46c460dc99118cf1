"""The desk's pages of the travel rule."""

from apps.travelrule.directory.admin import VaspAdmin, VaspChangeAdmin

__all__ = ["VaspAdmin", "VaspChangeAdmin"]
