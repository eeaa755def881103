"""Commands of model and plan."""

# One command a line reads as the table it is.
# ruff: noqa: E501
from topoedit.editor.actions.base import Action

ACTIONS: tuple[Action, ...] = (
    Action("plan.model", "Choose model…", "Choose the model to train.", "plan.choose_model", "Plan", "", "model", "drawing"),
    Action("plan.edit", "Edit plan", "Set TP, PP, CP, DP, EP, VPP and batches.", "view.show", "Plan", "", "plan", "drawing", "plan"),
    Action("plan.none", "Remove plan", "Analyse no model with this drawing.", "plan.remove", "Plan", "", "", "workload", section=1),
)  # fmt: skip
