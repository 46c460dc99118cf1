"""When a registration is made, changed, put under review or refused. Pure.

Specification: document 1 sections 2.3 and 3; DESIGN.md section 4, 2.3.
"""
