"""What is painted needs Qt: one application for all, the kind that windows need too."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication


@pytest.fixture(autouse=True, scope="session")
def _application(qapp: QApplication) -> None:
    """Before anything makes one of its own."""
