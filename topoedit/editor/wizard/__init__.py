"""New from template: steps on the left, the drawing they make on the right."""
