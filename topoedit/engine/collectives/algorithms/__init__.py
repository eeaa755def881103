"""One module for each algorithm; each holds an `ALGORITHM`."""
