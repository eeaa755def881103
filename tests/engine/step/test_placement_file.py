"""Hostlists, hostfiles and rankfiles."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.step.cases import catalog, pod
from topoedit.app.analyse import analyse_fabric
from topoedit.app.placement_file import read_placement
from topoedit.errors import BadInputError
from topoedit.model.plan import Plan, Workload


@pytest.fixture
def read(tmp_path: Path):
    def call(text: str) -> list[int]:
        file = tmp_path / "hosts"
        file.write_text(text, encoding="utf-8")
        return read_placement(file, pod()).tolist()

    return call


@pytest.mark.parametrize(
    "text",
    [
        "node-2\nnode-1\n",
        "node-2, node-1",
        "# a comment\nnode-2 slots=8\nnode-1 slots=8 # another",
        "node-2:8\nnode-1:8",
    ],
)
def test_hosts_in_the_order_of_the_file(read, text):
    second, first = pod_hosts()[1], pod_hosts()[0]
    named = text.replace("node-2", second).replace("node-1", first)
    assert read(named) == [*range(8, 16), *range(8)]


def pod_hosts() -> list[str]:
    drawing = pod()
    return [drawing.device_names[int(drawing.gpu_server[rank])] for rank in range(0, 64, 8)]


def test_ranges_and_slots(read):
    names = pod_hosts()
    stem = names[0].rstrip("0123456789")
    width = len(names[0]) - len(stem)
    text = f"{stem}[{2:0{width}d}-{3:0{width}d},{1:0{width}d}] slots=2"
    assert read(text) == [8, 9, 16, 17, 0, 1]


def test_rankfile(read):
    first, second = pod_hosts()[:2]
    text = f"rank 1={first} slot=3\nrank 0={second} slot=0\n"
    assert read(text) == [8, 3]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", "the file is empty"),
        ("# nobody\n", "names no server"),
        ("nobody", 'no server "nobody"'),
        ("HOST slots=9", "has 8 GPUs, not 9"),
        ("rank 0=HOST slot=0\nrank 0=HOST slot=1", "given twice"),
        ("rank 0=HOST slot=0\nrank 2=HOST slot=1", "rank 1 is missing"),
        ("rank 0=HOST slot=0\nHOST", "no line of a rankfile"),
        ("node-[1-]", "is no range"),
        ("node-[1-99999999]", "names more than"),
    ],
)
def test_bad_files_are_refused_with_file_and_line(read, text, line):
    with pytest.raises(BadInputError, match=line):
        read(text.replace("HOST", pod_hosts()[0]))


@given(st.text(max_size=200))
def test_any_text_is_read_or_refused(tmp_path_factory, text):
    file = tmp_path_factory.mktemp("placement") / "hosts"
    file.write_text(text, encoding="utf-8", newline="")
    try:
        order = read_placement(file, pod())
    except BadInputError:
        return
    assert ((order >= 0) & (order < 64)).all()


def test_a_plan_is_fitted_to_the_hosts_of_its_file(tmp_path):
    file = tmp_path / "hosts"
    file.write_text("\n".join(pod_hosts()[4:8]), encoding="utf-8")
    workload = Workload(model="llama3-8b", plan=Plan(tp=8, placement=str(file)))
    result = analyse_fabric(pod(), workload, catalog())
    assert result.analysis.topology.gpus_used == 32
    used = result.figures.total[pod().link >= pod().drawn_links]
    assert used.any()
    devices = pod().vertex_device[pod().src[result.figures.total > 0]]
    servers = set(pod().gpu_server.tolist()) & set(devices.tolist())
    assert servers == set(pod().gpu_server[32:].tolist())
