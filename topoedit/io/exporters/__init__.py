"""Foreign formats that can be written, one module each."""
