"""Free feeds: a few numbers that anybody may read, scaled to integers (document 3 section 2.5)."""
