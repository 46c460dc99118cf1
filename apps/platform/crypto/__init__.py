"""Canonical bytes, MACs, signatures and encryption, and the keys they use."""
