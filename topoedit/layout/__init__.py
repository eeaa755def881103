"""Automatic arrangements: positions in, move edits out."""
