"""Reports for people: a page and a PDF, both drawn of the very JSON that was sold."""
