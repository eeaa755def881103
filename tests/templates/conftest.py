"""The product's own catalogue, loaded once, and drawings made from it."""

from __future__ import annotations

import pytest

from tests.templates.counting import Make
from topoedit.app.generate import Generated, generate_with_notes
from topoedit.catalog.catalog import Catalog
from topoedit.catalog.load import load_catalog


@pytest.fixture(scope="package")
def catalog() -> Catalog:
    return load_catalog(user=False)


@pytest.fixture
def make(catalog: Catalog) -> Make:
    """`make("superpod", units=4)`: a drawing and what its template says."""

    def build(template: str, **params: object) -> Generated:
        return generate_with_notes(template, params, catalog)

    return build
