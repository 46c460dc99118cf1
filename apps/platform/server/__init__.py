"""A web worker that reads each request completely first, so slow clients delay no others.

It is a gunicorn worker class (config/gunicorn.py names it), without Django until it answers.
"""
