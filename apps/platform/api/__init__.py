"""The API on Django REST framework: viewsets, routers, and what every operation shares.

A service's app declares its viewsets in `api/viewsets.py` and registers them in `apps.py`.
"""
