"""Dialogs: templates, export, wiring by pattern, arrays."""
