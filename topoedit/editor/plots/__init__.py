"""Charts of a result: what they show as plain data, how they are drawn, and their files."""
