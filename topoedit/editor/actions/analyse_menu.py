"""Commands of the analysis, traces and problems."""

# One command a line reads as the table it is.
# ruff: noqa: E501
from topoedit.editor.actions.base import Action

ACTIONS: tuple[Action, ...] = (
    Action("analyse.run", "Run again", "Analyse the drawing once more.", "analyse.run", "Analyse", "F5", "run", "workload"),
    Action("analyse.restart", "Restart engine", "Stop the engine and start it afresh.", "analyse.restart", "Analyse", "", "refresh", "drawing"),
    Action("analyse.why", "Why", "Formula, inputs and source of the figure that has the keys, or of the step time.", "why.focused", "Analyse", "Alt+Return", "why", "workload"),
    Action("analyse.metric", "Next figure", "Colour links by the next figure: demand, utilisation, phase share, bytes.", "analyse.next_metric", "Analyse", "T", "chart", "drawing", section=1),
    Action("analyse.class", "Next traffic class", "Colour links by the next traffic class alone.", "analyse.next_class", "Analyse", "C", "filter", "drawing", section=1),
    Action("analyse.fail", "Fail or restore this", "Take the selection out of service, or put it back.", "analyse.fail", "Analyse", "Shift+F", "fail", "failable", section=2),
    Action("trace.between", "Trace", "Light up every path between the two selected devices.", "trace.between", "Analyse", "P", "fan-out", "drawing", section=2),
    Action("trace.from", "Trace from here", "Begin a trace at the selected device, or the GPU, NIC or port under the pointer.", "trace.from_here", "Analyse", "", "", "devices", section=2),
    Action("trace.to", "Trace to here", "End a trace at the selected device, or the GPU, NIC or port under the pointer.", "trace.to_here", "Analyse", "", "", "devices", section=2),
    Action("trace.clear", "Clear the trace", "Light up no path any more.", "trace.clear", "Analyse", "", "", "drawing", section=2),
    Action("ranks.find", "Find rank…", "Type the number of a rank to light its groups.", "ranks.find", "Analyse", "R", "seating", "workload", section=3),
    Action("ranks.group", "Next group of the rank", "Light the next group of the rank alone: TP, CP, EP, PP, DP.", "ranks.next_group", "Analyse", "Shift+R", "", "workload", section=3),
    Action("ranks.clear", "Clear the rank", "Light no rank any more.", "ranks.clear", "Analyse", "", "", "drawing", section=3),
    Action("analyse.next_problem", "Next problem", "Go to the next problem.", "analyse.next_problem", "Analyse", "F8", "warning", "problems", section=4),
    Action("analyse.previous_problem", "Previous problem", "Go to the problem before.", "analyse.previous_problem", "Analyse", "Shift+F8", "", "problems", section=4),
)  # fmt: skip
