"""Methods: for each product one pure function `compute(known) -> MethodResult`."""
