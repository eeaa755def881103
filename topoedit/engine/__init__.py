"""From drawing, model and plan to traffic, link load and step time."""
