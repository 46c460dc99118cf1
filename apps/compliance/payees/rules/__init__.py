"""Rules of registrations and payee checks. Pure.

Specification: document 1 sections 2.2, 2.3 and 3; DESIGN.md section 4, 2.2 and 2.3.
"""
