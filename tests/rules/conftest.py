from __future__ import annotations

import pytest

from topoedit.catalog.catalog import Catalog
from topoedit.catalog.load import load_catalog


@pytest.fixture(scope="session")
def catalog() -> Catalog:
    return load_catalog(user=False)
