"""Tables of published measurements: reading them, and what is assumed where they are silent."""
