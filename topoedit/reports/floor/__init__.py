"""Floor plans, rack elevations and what they sum up: space, power, heat and weight."""
