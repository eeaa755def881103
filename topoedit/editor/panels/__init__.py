"""The panels around the drawing; each shows one session at a time."""
