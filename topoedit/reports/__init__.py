"""Bill of materials, cable schedule and reports."""
