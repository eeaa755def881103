"""Commands of files: new, open, save, export, close."""

# One command a line reads as the table it is.
# ruff: noqa: E501
from topoedit.editor.actions.base import Action

ACTIONS: tuple[Action, ...] = (
    Action("file.new", "New drawing", "Start an empty drawing in a new tab.", "file.new", "File", "Ctrl+N", "new"),
    Action("file.template", "New from template…", "Make a cluster from a template and its numbers.", "file.from_template", "File", "Ctrl+Shift+N", "template"),
    Action("file.open", "Open…", "Open a drawing, or import a file of another tool.", "file.open", "File", "Ctrl+O", "open"),
    Action("file.save", "Save", "Write the drawing to its file.", "file.save", "File", "Ctrl+S", "save", "drawing", section=1),
    Action("file.save_as", "Save as…", "Write the drawing to another file.", "file.save_as", "File", "Ctrl+Shift+S", "", "drawing", section=1),
    Action("file.restore", "Restore from backup…", "Go back to what the file held before a save.", "file.restore", "File", "", "history", "drawing", section=1),
    Action("file.import_racks", "Import rack list…", "Place racks, their power and their devices from a CSV or XLSX list.", "floor.import_racks", "File", "", "import", "drawing", section=2),
    Action("file.export", "Export…", "Save the diagram as SVG, PNG or PDF.", "file.export", "File", "Ctrl+E", "export", "drawing", section=2),
    Action("file.print", "Print…", "Print the diagram on one page or as a poster of several.", "picture.print", "File", "Ctrl+P", "", "drawing", section=2),
    Action("file.report", "Report…", "Write the whole design as HTML, PDF or Markdown.", "report.write", "File", "", "report", "drawing", section=2),
    Action("file.bom", "Bill of materials…", "Write what is bought: devices, modules, cables in lengths on sale.", "deliverables.bill", "File/Deliverables", "", "", "drawing", section=2),
    Action("file.cables", "Cable schedule…", "Write every cable with both ends, lengths, port maps and labels.", "deliverables.cables", "File/Deliverables", "", "", "drawing", section=2),
    Action("file.labels", "Labels…", "Print labels on sheets, or list them for a label printer.", "deliverables.labels", "File/Deliverables", "", "", "drawing", section=2),
    Action("file.convert", "For another tool…", "Write cable validation files, GraphML or a list of links.", "deliverables.convert", "File/Deliverables", "", "", "drawing", section=2),
    Action("file.close", "Close tab", "Close this tab; unsaved work is asked about.", "file.close", "File", "Ctrl+W", "close", "tab", section=3),
    Action("file.quit", "Quit", "Close every tab and leave.", "file.quit", "File", "Ctrl+Q", section=3),
)  # fmt: skip
