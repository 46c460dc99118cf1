"""The rules of the banking connector: pure tables."""

VERSION = "2026-11.1"
