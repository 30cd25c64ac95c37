"""What a run of mutmut came to (`make mutate`)."""
