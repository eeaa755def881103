"""Painting floor plans and rack elevations on any paint device."""
