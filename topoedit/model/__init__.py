"""The drawing, the plan and the plain records of an analysis."""
