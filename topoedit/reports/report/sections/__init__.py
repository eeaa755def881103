"""The sections of the report: one module each, found by its object `SECTION`."""
