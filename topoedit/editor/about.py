"""What the program is: version, licence, catalogue."""

from __future__ import annotations

from importlib import metadata

from PySide6.QtCore import qVersion
from PySide6.QtWidgets import QMessageBox, QWidget


def version() -> str:
    """The installed version, "" from a checkout that was never installed."""
    try:
        return metadata.version("topoedit")
    except metadata.PackageNotFoundError:
        return ""


def about_box(parent: QWidget) -> QMessageBox:
    """A box with version and licence."""
    box = QMessageBox(parent)
    box.setWindowTitle("About topoedit")
    box.setText(f"topoedit {version()}".strip())
    box.setInformativeText(
        "Draws AI clusters and predicts the load on every link and the time of a training step.\n\n"
        f"Apache-2.0 · Qt {qVersion()} · Inter under the SIL Open Font Licence"
    )
    box.setStandardButtons(QMessageBox.StandardButton.Close)
    return box
