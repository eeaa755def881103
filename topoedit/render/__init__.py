"""Painting of the diagram on any QPaintDevice, shared by screen, export and report."""
