"""Validation: published measurements against what the engine says, and the fit of its constants."""
