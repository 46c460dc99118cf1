"""Whole exports: streamed from one snapshot, signed, and verified offline."""
