"""topoedit: draw an AI cluster, see the load on every link, hand on the result."""

__version__ = "0.1.0"
