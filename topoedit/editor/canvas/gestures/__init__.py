"""Gestures: small state machines that preview on an overlay and commit one edit, or nothing."""
