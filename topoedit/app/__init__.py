"""Use cases that editor, command line and Python share."""
