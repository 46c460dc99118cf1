"""The web worker: requests are read whole before one is answered, so that slow clients wait alone.

A gunicorn worker class (config/gunicorn.py names it), without Django until it answers.
"""
