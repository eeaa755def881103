"""Design-rule checks, one function a rule."""
