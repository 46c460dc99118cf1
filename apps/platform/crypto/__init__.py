"""Canonical bytes, MACs, signatures and encryption, with their keys."""
