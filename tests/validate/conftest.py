"""A validation of the shipped tables, run once, and small tables to write."""

from __future__ import annotations

import csv
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from topoedit.app.validate.records import RowResult, Validation
from topoedit.app.validate.run import validate

STEP: Mapping[str, str] = {
    "id": "MINE-001", "source": "my own run", "gpu": "H100-80GB-SXM", "gpus": "64",
    "gpus_per_node": "8", "intra_link": "NVLink4/NVSwitch", "inter_link_Gbps_per_gpu": "400",
    "model": "Llama3-70B", "layers": "80", "hidden": "8192", "heads": "64", "kv_heads": "8",
    "ffn_hidden": "28672", "vocab": "128256", "experts": "", "active_experts": "",
    "seq_len": "8192", "global_batch": "128", "micro_batch": "1", "tp": "4", "pp": "4",
    "vpp": "5", "dp": "2", "cp": "2", "ep": "", "zero": "1", "recompute": "none",
    "precision": "bf16", "measured_step_time_s": "14.61", "notes": "",
    "measured_tokens_per_s_per_gpu": "", "measured_mem_GiB": "", "derived_step_time_s": "",
    "stack": "nemo", "role": "", "inferred_fields": "",
}  # fmt: skip


@pytest.fixture(scope="session")
def shipped() -> Validation:
    return validate()


@pytest.fixture(scope="session")
def times(shipped: Validation) -> dict[str, RowResult]:
    return {row.id: row for row in shipped.rows if row.kind == "step_time"}


@pytest.fixture
def table(tmp_path: Path) -> Callable[..., Path]:
    """Writes a table of steps: one row for each mapping of changes to a complete row."""

    def write(*changes: Mapping[str, str], columns: list[str] | None = None) -> Path:
        path = tmp_path / "rows.csv"
        with path.open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, columns or list(STEP), extrasaction="ignore")
            writer.writeheader()
            writer.writerows({**STEP, **change} for change in changes or ({},))
        return path

    return write
