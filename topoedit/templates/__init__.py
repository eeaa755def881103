"""Parametric clusters that return edits."""
