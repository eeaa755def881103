"""Every quirk of ibnetdiscover's output that breaks naive readers, one test each."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topoedit.errors import BadFileError, TopoeditError
from topoedit.io import formats
from topoedit.io.importers.ibnetdiscover import FORMAT, read
from topoedit.io.parsed import Parsed, ParsedNode

DATA = Path(__file__).parents[1] / "data" / "ibnetdiscover"
LEAF_1, LEAF_2, SPINE = "a000000000000001", "a000000000000002", "a000000000000011"


def text(name: str) -> str:
    return (DATA / name).read_text(encoding="utf-8")


def parsed(name: str) -> Parsed:
    return read(text(name), name)


def node(drawing: Parsed, name: str) -> ParsedNode:
    (found,) = [n for n in drawing.nodes if n.name == name]
    return found


def ends(drawing: Parsed) -> set[tuple[str, str, str, str]]:
    return {(c.a, c.a_port, c.b, c.b_port) for c in drawing.cables}


def test_each_cable_is_listed_twice_and_drawn_once():
    drawing = parsed("live.out")
    lines = len(re.findall(r"^\[", text("live.out"), re.MULTILINE))
    assert (lines, len(drawing.cables)) == (18, 8)


@pytest.mark.parametrize("variant", ["pasted.out", "single-blanks.out"])
def test_tabs_may_have_become_blanks(variant: str):
    live, other = parsed("live.out"), parsed(variant)
    assert ends(other) == ends(live)
    assert {n.name for n in other.nodes} == {n.name for n in live.nodes}


def test_a_blank_line_may_hold_a_space():
    assert "\n \n" in text("pasted.out")
    assert len(parsed("pasted.out").nodes) == 6


def test_nodes_are_told_apart_by_guid_not_by_description():
    line = '"MT4129 ConnectX7   Mellanox Technologies"'
    twice = text("live.out").replace('"node-2 HCA-1"', line)
    nameless = [n for n in read(twice, "f").nodes if not n.named]
    assert sorted(n.name for n in nameless) == ["0c00000000000002", "0c00000000000004"]
    assert all(n.kind == "server" for n in nameless)


def test_guids_lose_leading_zeros():
    drawing = parsed("live.out")
    assert node(drawing, "node-1").guid == "0c00000000000001"
    assert len([n for n in drawing.nodes if n.kind == "server"]) == 3


def test_descriptions_hold_semicolons_colons_slashes_and_trailing_spaces():
    assert node(parsed("oddities.out"), "Lab switch: model 9; rev /2").kind == "switch"


def test_switch_names_give_name_and_model():
    leaf = node(parsed("live.out"), "lab-leaf-1")
    assert (leaf.model, leaf.type) == ("MQM9700", "qm9700")
    assert node(parsed("live.out"), "lab-spine-1").type == "qm9700"


@pytest.mark.parametrize(
    ("model", "type_id"),
    [("MQM9701", "qm9700"), ("MQM8790", "qm8700"), ("Q3400-RA", "q3400-ra"), ("MSB7800", "")],
)
def test_models(model: str, type_id: str):
    changed = text("live.out").replace("lab-leaf-1:MQM9700", f"lab-leaf-1:{model}")
    assert node(read(changed, "f"), "lab-leaf-1").type == type_id


def test_boards_of_one_chassis_form_a_group():
    drawing = parsed("chassis.out")
    assert [(g.name, g.kind) for g in drawing.groups] == [("chassis core", "rack")]
    boards = [n.name for n in drawing.nodes if n.group == "chassis core"]
    assert sorted(boards) == ["core/L01", "core/L02", "core/S01"]


def test_grouped_output_with_chassis_lines_and_external_ports():
    drawing = parsed("chassis.out")
    assert len(drawing.cables) == 4
    assert not [w for w in drawing.warnings if "not understood" in w]


def test_host_adapters_are_named_three_ways_in_one_file():
    drawing = read(
        text("live.out").replace('"node-1 mlx5_1"', '"node-1 mlx4_1"'), "f"
    )  # fmt: skip
    one = node(drawing, "node-1").adapters
    assert sorted((a.name, a.index) for a in one) == [("mlx4_1", 1), ("mlx5_0", 0)]
    (two,) = node(drawing, "node-2").adapters
    assert (two.name, two.index) == ("HCA-1", 0), "HCA-n counts from 1"


def test_hosts_may_lack_adapters():
    drawing = parsed("host-ports.out")
    counts = {n.name: len(n.adapters) for n in drawing.nodes if n.kind == "server"}
    assert counts == {"dgx-1": 10, "dgx-2": 8, "dgx-3": 7}


def test_aggregation_nodes_are_reported_and_not_drawn():
    drawing = parsed("live.out")
    assert not [n for n in drawing.nodes if "Aggregation" in n.name]
    assert not [c for c in drawing.cables if "65" in (c.a_port, c.b_port)]
    assert drawing.warnings[0].startswith("1 aggregation node (SHARP")


def test_parallel_cables_stay_apart():
    between = {e for e in ends(parsed("live.out")) if {e[0], e[2]} == {LEAF_1, SPINE}}
    assert between == {(LEAF_1, "33", SPINE, "1"), (LEAF_1, "34", SPINE, "2")}


def test_a_switch_cabled_to_itself():
    loops = [c for c in parsed("oddities.out").cables if c.a == c.b]
    assert [(c.a_port, c.b_port) for c in loops] == [("1", "2")]


def test_unsorted_ports_and_gaps():
    ports = {e[1] for e in ends(parsed("oddities.out")) if e[0].endswith("0b00")}
    ports |= {e[3] for e in ends(parsed("oddities.out")) if e[2].endswith("0b00")}
    assert ports == {"1", "2", "6", "7", "8", "22"}


def test_an_adapter_block_without_port_lines_is_kept():
    assert node(parsed("oddities.out"), "gamma").adapters == ()
    assert "1 node without a cable" in parsed("oddities.out").warnings


def test_a_file_without_any_cable_is_refused():
    with pytest.raises(BadFileError, match="names 1 node but not one cable"):
        parsed("no-cables.out")


def test_peers_without_a_block_of_their_own():
    drawing = parsed("oddities.out")
    assert node(drawing, "Silent neighbour").kind == "switch"
    assert node(drawing, "beta").kind == "server"
    assert "2 nodes only named by neighbours: more cables may be there" in drawing.warnings


@pytest.mark.parametrize(
    ("word", "gbps"),
    [
        ("4xNDR", 400.0), ("4xHDR", 200.0), ("4xEDR", 100.0), ("4xFDR", 56.0), ("4xFDR10", 40.0),
        ("4xQDR", 40.0), ("4xDDR", 20.0), ("4xSDR", 10.0), ("1xSDR", 2.5), ("2xHDR", 100.0),
        ("2xNDR", 200.0), ("4xXDR", 800.0), ("", None), ("4x ???", None),
    ],
)  # fmt: skip
def test_widths_and_speeds(word: str, gbps: float | None):
    drawing = read(text("live.out").replace("4xNDR", word), "f")
    assert {c.gbps for c in drawing.cables} == {gbps}


def test_speeds_differ_within_one_file():
    speeds = {c.gbps for c in parsed("oddities.out").cables}
    assert speeds == {56.0, 40.0, 2.5, None}


def test_ends_that_disagree_count_with_the_lower_speed():
    lines = text("live.out").split("\n")
    index = next(i for i, line in enumerate(lines) if line.startswith("[33]"))
    lines[index] = lines[index].replace("4xNDR", "1xNDR")
    drawing = read("\n".join(lines), "f")
    (cable,) = [c for c in drawing.cables if (c.a, c.a_port) == (LEAF_1, "33")]
    assert cable.gbps == 100.0
    assert "1 cable of another speed at each end: the lower is taken" in drawing.warnings


def test_fields_after_the_speed():
    assert "s=4 w=2" in text("oddities.out")
    assert 56.0 in {c.gbps for c in parsed("oddities.out").cables}


def test_error_output_mixed_in_is_counted_not_fatal():
    assert "1 line not understood, the first is line 1" in parsed("oddities.out").warnings


def test_the_system_image_guid_and_the_header_may_be_missing():
    stripped = re.sub(r"^(#.*|sysimgguid.*)\n", "", text("live.out"), flags=re.MULTILINE)
    assert ends(read(stripped, "f")) == ends(parsed("live.out"))


def test_simulator_files_have_bare_ids_and_no_speed():
    drawing = parsed("ibsim.net")
    kinds = {n.name: n.kind for n in drawing.nodes}
    assert kinds == {
        "Switch1": "switch", "Switch2": "switch",
        "Hca1": "server", "Hca2": "server", "Hca3": "server",
    }  # fmt: skip
    assert ("Hca3", "2", "Switch2", "1") in {
        (n.removeprefix("host "), p, m, q) for n, p, m, q in ends(drawing)
    } or ("Switch2", "1", "host Hca3", "2") in ends(drawing)
    assert {c.gbps for c in drawing.cables} == {None}


def test_two_ports_of_one_adapter():
    alpha = node(parsed("oddities.out"), "alpha")
    assert [(a.name, a.port) for a in alpha.adapters] == [("mlx4_0", 1), ("mlx4_0/2", 2)]


def test_two_hosts_of_one_name_are_not_merged():
    twice = text("live.out").replace('"node-2 HCA-1"', '"node-1 mlx5_0"')
    servers = [n for n in read(twice, "f").nodes if n.kind == "server"]
    assert len(servers) == 3


def test_a_line_that_contradicts_an_earlier_one_is_left_out():
    lines = text("live.out").split("\n")
    index = next(i for i, line in enumerate(lines) if line.startswith("[34]"))
    lines[index] = lines[index].replace("[34]", "[33]")
    drawing = read("\n".join(lines), "f")
    assert any("contradict" in w and f"line {index + 1}" in w for w in drawing.warnings)


def test_content_decides_whatever_the_suffix():
    for name in ("live.out", "pasted.out", "oddities.out", "chassis.out", "ibsim.net"):
        assert formats.sniff(text(name), Path("x.json")) is FORMAT


def test_other_text_is_not_taken_for_it():
    with pytest.raises(BadFileError, match="in no format that topoedit reads"):
        formats.sniff("graph { a -- b }\n", Path("x.out"))


def test_routers():
    lines = text("live.out").replace(
        'Switch	65 "S-a000000000000011', 'Rt	4 "R-a000000000000011'
    )
    drawing = read(lines.replace("S-a000000000000011", "R-a000000000000011"), "f")
    assert node(drawing, "lab-spine-1").kind == "router"


def test_a_windows_file():
    assert ends(read(text("live.out").replace("\n", "\r\n"), "f")) == ends(parsed("live.out"))


@given(st.data())
def test_damaged_dumps_raise_nothing_else(data: st.DataObject):
    source = text(data.draw(st.sampled_from(["live.out", "oddities.out", "chassis.out"])))
    lines = source.split("\n")
    for _ in range(data.draw(st.integers(1, 6))):
        at = data.draw(st.integers(0, len(lines) - 1))
        action = data.draw(st.sampled_from(["drop", "double", "cut", "noise", "swap"]))
        if action == "drop" and len(lines) > 1:
            del lines[at]
        elif action == "double":
            lines.insert(at, lines[at])
        elif action == "cut":
            lines[at] = lines[at][: data.draw(st.integers(0, 60))]
        elif action == "noise":
            lines[at] = data.draw(st.text(max_size=40))
        else:
            lines[at], lines[0] = lines[0], lines[at]
    try:
        drawing = read("\n".join(lines), "f")
    except TopoeditError:
        return
    keys = {n.key for n in drawing.nodes}
    assert all(c.a in keys and c.b in keys for c in drawing.cables)
    used = [(c.a, c.a_port) for c in drawing.cables] + [(c.b, c.b_port) for c in drawing.cables]
    assert len(used) == len(set(used)), "no port has two cables"
