"""What somebody meets first.

The sandbox with its samples and people, and what machines read about all services.
"""
