"""The native file: one spelling, nothing lost, every way to be wrong said in one line."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from tests.io.drawings import CANONICAL, small_drawing
from tests.model.small import small_catalog
from topoedit.errors import BadFileError
from topoedit.io import native, reading
from topoedit.io.canonical import canonical
from topoedit.io.reading import MAX_FILE_BYTES
from topoedit.model.document import Document
from topoedit.model.edits import Edit
from topoedit.model.elements import CustomType, Device, Foreign, Note, Settings

CATALOG = small_catalog()
DATA = CANONICAL.encode()


def load(text: str | bytes) -> Document:
    data = text.encode() if isinstance(text, str) else text
    return native.loads(data, CATALOG, "f.topo.json").document


def refusal(text: str | bytes) -> str:
    with pytest.raises(BadFileError) as caught:
        load(text)
    assert "\n" not in caught.value.line
    assert caught.value.line.startswith("f.topo.json: ")
    return caught.value.line


def test_canonical_form():
    assert native.dumps(small_drawing()).decode() == CANONICAL


def test_a_canonical_file_saves_byte_identical_and_opening_writes_nothing(tmp_path: Path):
    path = tmp_path / "small.topo.json"
    path.write_bytes(DATA)
    document = native.load(path, CATALOG)
    assert [p.name for p in tmp_path.iterdir()] == ["small.topo.json"]
    digest = native.save(document, path)
    assert path.read_bytes() == DATA
    assert digest == native.read(path, CATALOG).digest


@pytest.mark.parametrize(
    "edited",
    [
        json.dumps(json.loads(CANONICAL), indent=4),
        CANONICAL.replace("\n", "\r\n"),
        "\ufeff" + CANONICAL,
        CANONICAL.replace('"x":9.25', '"x":9.25,"y":0.0,"network":"compute","failed":false'),
        CANONICAL.replace('"gbps":400.0', '"gbps":4e2'),
        CANONICAL.replace('{"is":"group","id":"rack","name":"rack","kind":"rack"},\n', "").replace(
            "[\n", '[\n{"kind":"rack","name":"rack","id":"rack","is":"group"},\n', 1
        ),
    ],
    ids=["indented", "crlf", "byte-order-mark", "defaults", "number", "order"],
)
def test_a_file_edited_by_hand_is_normalised(edited: str):
    assert native.dumps(load(edited)) == DATA


def test_equal_documents_have_equal_bytes():
    document = small_drawing()
    element = document.devices["leaf"]
    spelled = msgspec.structs.replace(element, x=float("0"), network="".join(("com", "pute")))
    document.apply(Edit("Same", put=(spelled,)))
    assert native.dumps(document) == DATA


def test_a_whole_number_where_a_rate_belongs_is_written_as_it_reads_back():
    document = small_drawing()
    link = document.links["link-1"]
    whole = msgspec.structs.replace(link, gbps=400, via=((1, 2),), length_m=3)
    document.apply(Edit("Whole", put=(whole,)))
    written = native.dumps(document)
    assert b'"gbps":400.0,"length_m":3.0,"via":[[1.0,2.0]]' in written
    assert native.dumps(load(written)) == written


def test_unknown_fields_survive_where_they_were():
    newer = (
        CANONICAL.replace('"y":-80.0}', '"y":-80.0,"colour":{"fill":[1,2]}}')
        .replace('{"tp":4}', '{"tp":4,"twist":true}')
        .replace('"elements":', '"author":"somebody",\n"elements":')
    )
    document = load(newer)
    assert native.dumps(document) == newer.encode()
    leaf = document.devices["leaf"]
    assert leaf.extra == {"colour": {"fill": [1, 2]}}
    document.apply(Edit("Move", put=(msgspec.structs.replace(leaf, x=1.0),)))
    assert b'"x":1.0,"y":-80.0,"colour":{"fill":[1,2]}}' in native.dumps(document)


def test_unknown_fields_of_ports_survive():
    newer = CANONICAL.replace(
        '"y":-80.0}', '"y":-80.0,"ports":[{"names":"1"},{"names":"2","gbps":200.0,"lit":true}]}'
    )
    assert native.dumps(load(newer)) == newer.encode()


def test_an_unknown_kind_of_element_survives():
    line = '{"is":"cooling-loop","id":"loop-1","litres":[1,2.5]}'
    newer = CANONICAL.replace("\n]\n}", f",\n{line}\n]\n}}")
    document = load(newer)
    assert isinstance(document.element("loop-1"), Foreign)
    assert native.dumps(document) == newer.encode()


def test_an_extra_field_never_replaces_a_known_one():
    text = CANONICAL.replace('"y":-80.0}', '"y":-80.0,"extra":{"name":"other","note":1}}')
    document = load(text)
    assert document.devices["leaf"].name == "leaf"
    written = native.dumps(document)
    assert b'"y":-80.0,"note":1}' in written
    assert native.dumps(load(written)) == written


def test_custom_types_in_use_are_embedded_and_differences_told():
    server = CATALOG.devices["server4"]
    own = msgspec.structs.replace(server, rack_units=4.0)
    catalog = CATALOG.__class__(
        devices={**CATALOG.devices, "server4": own}, overridden={"devices/server4": "own.yaml"}
    )
    document = Document(catalog, [Device(id="a", name="a", type="server4", kind="server")])
    written = native.dumps(document)
    same = native.loads(written, catalog, "f")
    assert same.document.types["server4"].stamp == native.stamp(own)
    assert same.warnings == ()
    elsewhere = native.loads(written, CATALOG, "f")
    assert elsewhere.document.device_type(elsewhere.document.devices["a"]) == own
    assert "server4" in elsewhere.warnings[0]
    assert "differs" in elsewhere.warnings[0]
    assert native.dumps(elsewhere.document) == written


def test_an_unused_custom_type_in_the_file_stays():
    own = msgspec.structs.replace(CATALOG.devices["server4"], id="mine")
    document = Document(CATALOG, [CustomType(id="mine", type=own)])
    assert native.dumps(load(native.dumps(document))) == native.dumps(document)


# -- refusals ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (DATA[:-60], "ends in the middle (line 13"),
        ('{"format": "topoedit", "format_version": 2, "elements": [', "ends in the middle"),
        (b"\x7fELF\x00\x01", "is a binary file"),
        (b"{\xff\xfe", "is not UTF-8 text (line 1"),
        ("[1, 2]", "not a topoedit drawing"),
        ('{"hello": 1}', "not a topoedit drawing"),
        ('{"format": "topoedit"}', "`format_version` is None"),
        ('{"format": "topoedit", "format_version": true}', "`format_version` is True"),
        ('{"format": "topoedit", "format_version": 2}', "has no list of elements"),
        (CANONICAL.replace(":2,", ":3,", 1), "was written by a newer topoedit"),
        (CANONICAL.replace('"x":9.25', '"x":9.25,"x":1'), 'the key "x" is there twice'),
        (CANONICAL.replace('"x":9.25', '"x":"far"'), 'element "node-2" (line 9): Expected `float`'),
        (CANONICAL.replace('"x":9.25', '"x":NaN'), "NaN is not a JSON number"),
        (CANONICAL.replace('"x":9.25', '"x":1e400'), "node-2"),
        (CANONICAL.replace('"kind":"leaf"', '"kind":"tower"'), "Invalid enum value 'tower'"),
        (CANONICAL.replace('"is":"group",', ""), 'element 3 has no kind (the key "is")'),
        (CANONICAL.replace('"id":"leaf",', ""), "missing required field `id`"),
        (CANONICAL.replace('["leaf","1-4"]', '["leaf","1-4","x"]'), "link-1"),
        (CANONICAL.replace('["leaf","1-4"]', '["leaf","4-1"]'), "4-1 is not a run of names"),
        (CANONICAL.replace('["leaf","1-4"]', '["leaf","1-3,9"]'), 'no port "9", which link-1 uses'),
        (CANONICAL.replace('["leaf","1-4"]', '["leaf","2-5"]'), "two cables in port leaf:5"),
        (CANONICAL.replace('["leaf","1-4"]', '["gone","1-4"]'), 'ends at "gone"'),
        (CANONICAL.replace('"c5-8"', '"c4-7"'), "cable c4 is already in another link"),
        (CANONICAL.replace('"name":"node-2"', '"name":"leaf"'), 'the name "leaf" is taken'),
        (CANONICAL.replace('"switch8"', '"switch9"'), "(line 8): there is no device type"),
        (CANONICAL.replace('"group":"rack"', '"group":"row"'), 'there is no group "row"'),
        ("[" * 100_000, "is nested too deeply"),
        (CANONICAL.replace('"y":-80.0', '"y":-80.0,"z":' + "[" * 90 + "]" * 90), "levels deep"),
        (CANONICAL.replace('"c1-4"', '"c1-1000000,d1-1000000,e1-9"'), "more than 2,000,000 cables"),
        (CANONICAL.replace('"c1-4"', '"c1-99999999999"'), "(line 11): c1-99999999999 is not a run"),
        (CANONICAL.replace('"id":"link-1"', '"id":"leaf"'), "an element with this id is there"),
        (CANONICAL.replace('"name":"node-2"', r'"name":"a\u001b[31m"'), "character U+001B"),
        (CANONICAL.replace('"name":"node-2"', f'"name":"{"x" * 201}"'), "201 characters is 1 too"),
        ('{"format": "topoedit", "format_version": 1, "links": [{"id": "l"}]}', "is missing"),
    ],
)  # fmt: skip
def test_refusals(text: str | bytes, says: str):
    assert says in refusal(text)


def test_the_line_of_a_broken_invariant_is_named():
    assert "link-2 (line 12)" in refusal(CANONICAL.replace('["leaf","1-4"]', '["leaf","2-5"]'))


def test_ten_million_links_are_refused_before_they_are_built(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(native, "MAX_ELEMENTS", 8)
    assert "holds more than 8 elements" in refusal(CANONICAL)


def test_a_flood_of_values_is_refused_before_it_is_parsed(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(reading, "MAX_VALUES", 50)
    assert "holds more than 50 values" in refusal("[" + "0," * 60 + "0]")


def test_a_file_that_is_too_large_is_not_read(tmp_path: Path):
    path = tmp_path / "large.topo.json"
    with path.open("wb") as stream:
        stream.truncate(MAX_FILE_BYTES + 1)
    with pytest.raises(BadFileError, match=r"larger than 512 MiB"):
        native.load(path, CATALOG)


def test_missing_empty_and_folder(tmp_path: Path):
    (tmp_path / "empty.topo.json").write_bytes(b" \n")
    cases = {"no.topo.json": "no such file", "empty.topo.json": "empty", "": "folder"}
    for name, says in cases.items():
        with pytest.raises(BadFileError, match=says):
            native.load(tmp_path / name, CATALOG)


# -- upgrades ----------------------------------------------------------------------------------


def test_a_file_of_version_1_opens_and_saves_as_the_current_version():
    from topoedit.catalog.load import load_catalog

    old = Path(__file__).parents[1] / "data" / "old" / "version-1.topo.json"
    document = native.load(old, load_catalog(user=False))
    assert document.settings.name == "First prototype"
    assert (document.devices["leaf-1"].x, document.devices["leaf-1"].y) == (45.0, -60.5)
    assert document.devices["leaf-1"].kind == "leaf"
    assert document.devices["leaf-1"].extra == {"colour": "teal"}
    assert document.links["link-1"].a.ports == "nic0-2"
    assert document.links["link-1"].cable_ids == ("c1", "c2", "c3")
    assert document.links["link-2"].a.names == ("nic0", "nic2")
    assert document.links["link-2"].b.names == ("4", "33")
    written = native.dumps(document)
    assert b'"format_version":2,' in written
    assert native.dumps(native.loads(written, document.catalog, "f").document) == written


def test_settings_keep_what_was_beside_the_elements_even_without_settings_element():
    document = load('{"format": "topoedit", "format_version": 2, "tool": 1, "elements": []}')
    assert document.settings == Settings(extra={"file": {"tool": 1}})
    assert b'"tool":1,\n"elements"' in native.dumps(document)


@pytest.mark.parametrize(
    ("element", "written"),
    [
        (Note(id="n", text="t", width=float("200")), b'{"is":"note","id":"n","text":"t"}'),
        (Note(id="n", text="t", x=-0.0), b'{"is":"note","id":"n","text":"t"}'),
        (
            Note(id="n", text="t", width=3, x=4.5),
            b'{"is":"note","id":"n","text":"t","x":4.5,"width":3.0}',
        ),
    ],
)
def test_one_spelling_however_an_element_was_made(element: Note, written: bytes) -> None:
    assert msgspec.json.encode(canonical(element)) == written
