"""Anybody's table: what is read, what is assumed, what is skipped and why."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.validate.conftest import STEP
from topoedit.app.validate.records import RowResult
from topoedit.app.validate.run import validate
from topoedit.catalog.load import load_catalog
from topoedit.engine.published.names import Names
from topoedit.engine.published.step_rows import Skipped, step_row
from topoedit.engine.published.table import MAX_BYTES, TableRow, read_table
from topoedit.errors import BadFileError

Writer = Callable[..., Path]
NAMES = Names(load_catalog(user=False))


def only(path: Path) -> RowResult:
    (row,) = validate(steps=path).rows
    return row


def test_a_complete_row_of_mine(table: Writer) -> None:
    """Llama 3 70B on 64 H100, as published for this very plan: 14.61 s."""
    row = only(table())
    assert row.skipped is None
    assert row.error == pytest.approx((row.predicted or 0) / 14.61 - 1)
    assert abs(row.error) < 0.05


def test_a_table_without_roles_counts_every_row(table: Writer) -> None:
    found = validate(steps=table({}, {"id": "MINE-002", "gpus": "abc"}))
    assert found.summary.step_time.n == 1
    assert found.summary.step_time.skipped == 1
    assert found.summary.collectives.n == 0
    assert found.summary.step_time.slope_per_doubling is None  # one size only


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"gpu": "Banana 9000"}, 'the catalogue has no accelerator "Banana 9000"'),
        ({"gpus": "many"}, 'gpus "many" is no number'),
        ({"gpus": "1e99"}, 'gpus "1e99" is no number'),
        ({"gpus": "8.5"}, "gpus must be a whole number from 1, not 8.5"),
        ({"gpus": "60"}, "tp 4 x pp 4 x cp 2 does not divide 60 GPUs"),
        ({"seq_len": ""}, "seq_len is not given"),
        ({"global_batch": ""}, "global_batch is not given"),
        ({"measured_step_time_s": ""}, "neither a step time nor tokens/s are given"),
        ({"precision": "int3"}, 'precision "int3" is unknown'),
        ({"recompute": "maybe"}, 'recompute "maybe" is none of none, selective and full'),
        ({"zero": "7"}, 'zero "7" is none of 0, 1, 2 and 3'),
        ({"schedule": "waves"}, 'schedule "waves" is none of afab, 1f1b, zb, dualpipe'),
        ({"stack": "abacus"}, 'there is no stack "abacus"'),
        ({"model": "Mystery", "layers": ""}, "the row gives no layers"),
        ({"model": "Mystery", "kv_heads": "MLA"}, "latent attention of a model"),
        ({"gpu": "V100-32GB"}, "no constants for volta accelerators"),
        ({"gpu": "MI300X"}, "no constants for cdna3 accelerators"),
    ],
)
def test_a_row_that_cannot_be_computed_says_why(
    table: Writer, change: dict[str, str], why: str
) -> None:
    columns = [*STEP, *(name for name in change if name not in STEP)]
    row = only(table(change, columns=columns))
    assert row.predicted is None
    assert why in (row.skipped or "")


def test_tokens_per_second_stand_in_for_a_step_time(table: Writer) -> None:
    tokens = 128 * 8192 / 14.61 / 64
    change = {"measured_step_time_s": "", "measured_tokens_per_s_per_gpu": f"{tokens:.3f}"}
    assert only(table(change)).published == pytest.approx(14.61, rel=1e-5)


def test_what_the_catalogue_knows_need_not_be_written(table: Writer) -> None:
    blank = dict.fromkeys(("layers", "hidden", "heads", "kv_heads", "ffn_hidden", "vocab"), "")
    short, full = only(table(blank)), only(table())
    assert short.predicted == pytest.approx(full.predicted or 0)
    assert any("llama3-70b from the catalogue" in text for text in short.assumptions)


def test_options_of_the_plan_change_the_time(table: Writer) -> None:
    def seconds(**change: str) -> float:
        return only(table(change, columns=[*STEP, "grad_dtype", "release"])).predicted or 0.0

    plain = seconds()
    assert seconds(recompute="full") > 1.2 * plain
    assert seconds(precision="fp8") < 0.8 * plain
    assert seconds(stack="megatron") > plain
    assert seconds(stack="fsdp-eager", release="llm-foundry") > plain
    assert seconds(grad_dtype="fp32") >= plain
    assert seconds(sequence_parallel="0") >= plain


@pytest.mark.parametrize(
    ("text", "chip"),
    [
        ("NVIDIA H100 80GB HBM3", "h100-sxm"),
        ("DGX H100", "h100-sxm"),
        ("A100-SXM4-40GB", "a100-sxm-40"),
        ("A100", "a100-sxm-80"),
        ("GB200 NVL72", "gb200"),
        ("H100 PCIe", "h100-pcie"),
        ("H100-96GB-HBM2e (500W)", "h100-96gb-500w"),
        ("V100-32GB (DGX-2)", "v100-sxm2-32"),
    ],
)
def test_accelerators_by_the_names_that_people_write(text: str, chip: str) -> None:
    assert NAMES.accelerator(text).id == chip


@pytest.mark.parametrize(
    ("text", "model"),
    [
        ("Llama 3.1 405B", "llama31-405b"),
        ("DeepSeek-V3-671B", "deepseek-v3"),
        ("GPT3-175B", "gpt3-175b"),
        ("GPT3-5B", None),  # no other size than the catalogue's
        ("Nemotron4-15B", None),
    ],
)
def test_models_by_name_and_size(text: str, model: str | None) -> None:
    found = NAMES.model(text.lower())
    assert (found.id if found else None) == model


@pytest.mark.parametrize(
    ("text", "stage"),
    [("", 1), ("3 (FSDP2)", 3), ("FSDP", 3), ("ZeRO-2", 1), ("stage 3", 3), ("DDP", 0), ("0", 0)],
)
def test_sharding_by_the_words_that_people_write(text: str, stage: int) -> None:
    row = step_row(TableRow(2, {**STEP, "pp": "1", "vpp": "", "zero": text}), NAMES)
    assert not isinstance(row, Skipped)
    assert row.numbers["zero"] == stage


@pytest.mark.parametrize(("gpus", "tokens"), [("8192", "169.5"), ("16384", "157.7")])
def test_llama_3_405b_of_its_own_report(table: Writer, gpus: str, tokens: str) -> None:
    """The Llama 3 Herd of Models, table 4: 430 and 400 TFLOP/s a GPU at tp 8, pp 16, FSDP.

    No row of the fit. Tokens/s: TFLOP/s over 6 parameters + 6 L h s (half the attention square).
    """
    change = {
        "source": "The Llama 3 Herd of Models", "gpus": gpus, "model": "Llama-3.1-405B",
        "stack": "", "seq_len": "8192", "global_batch": "2048", "tp": "8", "pp": "16",
        "cp": "1", "vpp": "", "zero": "FSDP", "measured_step_time_s": "",
        "measured_tokens_per_s_per_gpu": tokens,
    }  # fmt: skip
    change |= dict.fromkeys(("layers", "hidden", "heads", "kv_heads", "ffn_hidden", "vocab"), "")
    row = only(table(change))
    assert row.error is not None
    assert abs(row.error) < 0.08
    assert row.interval is not None
    assert row.interval.low_s < (row.published or 0) < row.interval.high_s
    assert any("gathers and reduces once a step" in text for text in row.assumptions)


def test_thousands_may_be_separated() -> None:
    assert TableRow(2, {"n": "12,345.5"}).number("n") == 12345.5


def test_node_limited_routing_sends_fewer_copies() -> None:
    import numpy as np

    from topoedit.engine.published.predict import prepare
    from topoedit.engine.step.constants import ConstantPicker
    from topoedit.engine.step.traffic import distinct_domains

    shape = {"model": "DeepSeek-V3-671B", "layers": "61", "hidden": "7168", "heads": "128",
             "kv_heads": "MLA", "ffn_hidden": "2048", "vocab": "129280", "experts": "256",
             "active_experts": "8", "tp": "1", "pp": "1", "cp": "1", "vpp": "",
             "ep": "64"}  # fmt: skip
    row = step_row(TableRow(2, {**STEP, **shape}), NAMES)
    assert not isinstance(row, Skipped)
    case = prepare([row]).case(ConstantPicker())
    # 8 domains of one group each: 4 of them; 4 domains of two: 4 (1 - C(6,4)/C(8,4)) = 3.143
    assert distinct_domains(case, np.full(1, 8.0))[0] == pytest.approx(4.0)
    assert distinct_domains(case, np.full(1, 4.0))[0] == pytest.approx(4 * (1 - 15 / 70))
    assert distinct_domains(case, np.full(1, 1.0))[0] == pytest.approx(1.0)


# -- hostile files ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "lacks the columns id, gpu, gpus, model"),
        ("id,gpu,gpus\n1,H100,8\n", "lacks the column model"),
        ("id,gpu,gpus,model\n1,H100,8,x\n", "has none of the columns measured_step_time_s"),
        ("id,id,gpu,gpus,model,derived_step_time_s\n", "names a column twice: id"),
        (",".join(f"c{i}" for i in range(300)), "has 300 columns; at most 200 are read"),
        ('id,gpu\n"' + "x" * 200_000, "cannot be read as a CSV table"),
    ],
)
def test_a_file_that_is_no_such_table_gives_one_line(tmp_path: Path, text: str, why: str) -> None:
    path = tmp_path / "bad.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadFileError) as caught:
        validate(steps=path)
    assert why in caught.value.line
    assert "\n" not in caught.value.line


def test_files_that_are_no_text_or_too_large_or_absent(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_bytes(b"\xff\xfe\x00id")
    with pytest.raises(BadFileError, match="cannot be read"):
        read_table(path, ("id",))
    with path.open("wb") as file:
        file.truncate(MAX_BYTES + 1)
    with pytest.raises(BadFileError, match="larger than 32 MiB"):
        read_table(path, ("id",))
    with pytest.raises(BadFileError, match="cannot be read"):
        read_table(tmp_path / "absent.csv", ("id",))


def test_a_row_longer_than_the_header_is_skipped(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_text("id,gpu,gpus,model,derived_step_time_s\na,H100,8,Llama3-8B,1,2,3\n", "utf-8")
    assert only(path).skipped == "the row has more cells than the header"


@given(
    st.dictionaries(
        st.sampled_from(sorted(STEP)),
        st.one_of(
            st.text(max_size=30),
            st.sampled_from(["0", "-1", "1e400", "nan", "inf", "3 (FSDP)", "999999999999", "0x10"]),
        ),
        max_size=8,
    )
)
def test_any_cells_give_a_number_or_a_reason(change: dict[str, str]) -> None:
    cells = {name: text.strip() for name, text in {**STEP, **change}.items()}
    row = step_row(TableRow(2, cells), NAMES)
    if isinstance(row, Skipped):
        assert row.reason
        assert "\n" not in row.reason
        return
    from topoedit.engine.published.predict import prepare, resolved
    from topoedit.engine.step.constants import ConstantPicker

    predicted = prepare(resolved([row])).predict(ConstantPicker())
    assert float(predicted.seconds[0]) > 0
    assert float(predicted.memory[0]) > 0
