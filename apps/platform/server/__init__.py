"""The web worker reads requests whole before it answers one, so slow clients delay nobody.

It is a gunicorn worker class (config/gunicorn.py names it), without Django until it answers.
"""
