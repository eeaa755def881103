"""The report: what a drawing is, does and costs, as data, and its writers."""
