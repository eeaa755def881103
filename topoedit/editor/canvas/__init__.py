"""The canvas: one cached picture of the drawing, gestures over it, overlays on top."""
