"""What the climate does to eleven commodity markets (document 3 sections 2.8, 4 and 7).

Markets, growing regions, crop calendar and scenarios are tables (`rules`). Once an hour all of it
is computed of what is known (`computation.py`) and kept as one sealed run
(`services/hourly_run.py`), which requests read; books of positions are arithmetic on it.
`docs/forecast-method.md` is made from the tables.
"""
