"""All controllers by the name that the actions use."""

from __future__ import annotations

from topoedit.editor.commands.analyse_commands import AnalyseCommands, HelpCommands, PlanCommands
from topoedit.editor.commands.arrange_commands import ArrangeCommands
from topoedit.editor.commands.deliverable_commands import DeliverableCommands
from topoedit.editor.commands.edit_commands import EditCommands
from topoedit.editor.commands.file_commands import FileCommands
from topoedit.editor.commands.floor_commands import FloorCommands
from topoedit.editor.commands.patch_commands import PatchCommands
from topoedit.editor.commands.picture_commands import PictureCommands
from topoedit.editor.commands.preference_commands import PreferenceCommands
from topoedit.editor.commands.rank_commands import RankCommands
from topoedit.editor.commands.report_commands import ReportCommands
from topoedit.editor.commands.tool_commands import InsertCommands, ToolCommands
from topoedit.editor.commands.trace_commands import TraceCommands
from topoedit.editor.commands.view_commands import ViewCommands
from topoedit.editor.commands.why_commands import WhyCommands
from topoedit.editor.shell import WindowShell


def make_controllers(shell: WindowShell, files: FileCommands) -> dict[str, object]:
    """The controllers of one window."""
    return {
        "file": files,
        "edit": EditCommands(shell),
        "view": ViewCommands(shell),
        "picture": PictureCommands(shell),
        "report": ReportCommands(shell),
        "deliverables": DeliverableCommands(shell),
        "floor": FloorCommands(shell),
        "tool": ToolCommands(shell),
        "insert": InsertCommands(shell),
        "patch": PatchCommands(shell),
        "arrange": ArrangeCommands(shell),
        "plan": PlanCommands(shell),
        "analyse": AnalyseCommands(shell),
        "ranks": RankCommands(shell),
        "trace": TraceCommands(shell),
        "why": WhyCommands(shell),
        "help": HelpCommands(shell),
        "preferences": PreferenceCommands(shell),
    }
