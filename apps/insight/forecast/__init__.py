"""Climate effects on eleven commodity markets (document 3 sections 2.8, 4 and 7).

Markets, growing regions, crop calendar and scenarios are tables (`rules`). Once an hour everything
is computed from the known data (`computation.py`) and stored as one sealed run
(`services/hourly_run.py`), which requests read; books of positions are arithmetic on it.
`docs/forecast-method.md` is generated from the tables.
"""
