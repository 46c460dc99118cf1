"""Shared basics of every package: time, money, texts, files and the one form of errors."""
