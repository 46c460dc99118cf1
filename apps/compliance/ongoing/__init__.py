"""Screening that goes on: parties that came up are held against what changes on the lists."""
