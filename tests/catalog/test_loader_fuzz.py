"""Whatever a catalogue file holds, loading gives entries or a BadCatalogError, nothing else."""

from __future__ import annotations

import contextlib
from pathlib import Path

import yaml
from hypothesis import given
from hypothesis import strategies as st

from topoedit.catalog.load import load_catalog
from topoedit.catalog.sections import SECTIONS, tables
from topoedit.catalog.yaml_text import parse
from topoedit.errors import BadCatalogError

_scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=12)
    | st.dates()
    | st.binary(max_size=4)
)
_trees = st.recursive(
    _scalars,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text(max_size=8) | st.integers(), inner, max_size=4)
    ),
    max_leaves=12,
)
_fields = sorted({name for cls in SECTIONS.values() for name in cls.__struct_fields__})
_good = {
    "id": "x", "name": "X", "source": "own", "kind": "switch", "ports": [{"count": 4}],
    "layers": 1, "hidden": 8, "heads": 2, "kv_heads": 2, "head_dim": 4, "ffn": 8, "vocab": 9,
}  # fmt: skip
_entries = st.dictionaries(st.sampled_from(_fields), _trees, max_size=4).map(lambda d: _good | d)


def _load(text: str) -> None:
    with contextlib.suppress(BadCatalogError):
        tables(parse(text, "fuzz.yaml"), "fuzz.yaml")


@given(_trees)
def test_any_tree(tree: object) -> None:
    _load(yaml.dump(tree))


@given(st.sampled_from(sorted(SECTIONS)), st.lists(_entries, max_size=2))
def test_any_entry(section: str, entries: list[object]) -> None:
    _load(yaml.dump({section: entries}))


@given(st.sampled_from(sorted(SECTIONS)), _entries)
def test_any_unparsed_entry(section: str, entry: object) -> None:
    with contextlib.suppress(BadCatalogError):
        tables({section: [entry]}, "fuzz.yaml")


@given(st.text() | st.text(alphabet="-:[]{}&*!|>%@'\"#?, \n\tae01.~<="))
def test_any_text(text: str) -> None:
    _load(text)


@given(data=st.binary(max_size=64))
def test_any_bytes(data: bytes, tmp_path: Path) -> None:
    (tmp_path / "x.yaml").write_bytes(data)
    with contextlib.suppress(BadCatalogError):
        load_catalog([tmp_path], user=False)
