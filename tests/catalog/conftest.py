"""The product's own catalogue, loaded once."""

from __future__ import annotations

import pytest

from topoedit.catalog.catalog import Catalog
from topoedit.catalog.load import load_catalog


@pytest.fixture(scope="package")
def catalog() -> Catalog:
    return load_catalog(user=False)
