"""What the actions do: one small controller for each menu."""
