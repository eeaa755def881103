"""Commands of model and plan."""

# One command a line reads as the table it is.
# ruff: noqa: E501
from topoedit.editor.actions.base import Action

ACTIONS: tuple[Action, ...] = (
    Action("plan.model", "Choose model…", "Choose the model to train.", "plan.choose_model", "Plan", "", "model", "drawing"),
    Action("plan.edit", "Edit plan", "Set TP, PP, CP, DP, EP, VPP and batches.", "view.show", "Plan", "", "plan", "drawing", "plan"),
    Action("plan.copy", "New plan like this", "Go on with a copy of the plan in use; the first one stays as it is.", "plan.copy", "Plan", "", "duplicate", "workload", section=1),
    Action("plan.rename", "Rename plan", "Type another name for the plan in use.", "plan.rename", "Plan", "", "", "workload", section=1),
    Action("plan.next", "Next plan", "Analyse with the next of the saved plans.", "plan.use_next", "Plan", "", "", "saved_plans", section=1),
    Action("plan.delete", "Delete plan", "Drop the plan in use from the drawing.", "plan.delete", "Plan", "", "delete", "workload", section=1),
    Action("plan.none", "Remove plan", "Analyse no model with this drawing.", "plan.remove", "Plan", "", "", "workload", section=2),
)  # fmt: skip
