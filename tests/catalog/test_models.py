"""Models by name and by file."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topoedit.catalog.catalog import Catalog
from topoedit.catalog.models import read_model, resolve_model
from topoedit.errors import BadInputError

LLAMA: dict[str, object] = {
    "model_type": "llama", "architectures": ["LlamaForCausalLM"], "hidden_size": 1024,
    "num_hidden_layers": 4, "num_attention_heads": 16, "num_key_value_heads": 4,
    "intermediate_size": 4096, "vocab_size": 1000, "max_position_embeddings": 2048,
    "tie_word_embeddings": True,
}  # fmt: skip
LATENT: dict[str, object] = LLAMA | {
    "model_type": "deepseek_v3", "num_key_value_heads": 16, "q_lora_rank": 96, "kv_lora_rank": 64,
    "qk_nope_head_dim": 32, "qk_rope_head_dim": 16, "v_head_dim": 32, "n_routed_experts": 8,
    "num_experts_per_tok": 2, "n_shared_experts": 1, "moe_intermediate_size": 256,
    "first_k_dense_replace": 1,
}  # fmt: skip


def _file(tmp_path: Path, value: object, name: str = "config.json") -> Path:
    path = tmp_path / name
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


def test_a_name_of_the_catalogue(catalog: Catalog) -> None:
    assert resolve_model("llama-3.1-70b", catalog).id == "llama3-70b"
    with pytest.raises(BadInputError, match="Nearest"):
        resolve_model("llama-3.1-71b", catalog)


def test_a_llama_file(tmp_path: Path, catalog: Catalog) -> None:
    model = resolve_model(str(_file(tmp_path, LLAMA, "tiny.json")), catalog)
    assert (model.id, model.layers, model.hidden, model.heads) == ("tiny", 4, 1024, 16)
    assert (model.kv_heads, model.head_dim, model.attention) == (4, 64, "GQA")
    assert model.tied_embeddings
    assert model.gated_ffn
    assert model.context == 2048
    assert model.source == "file tiny.json"


def test_missing_kv_heads_mean_multi_head_attention(tmp_path: Path) -> None:
    config = {key: value for key, value in LLAMA.items() if key != "num_key_value_heads"}
    model = read_model(_file(tmp_path, config))
    assert (model.kv_heads, model.attention) == (16, "MHA")


def test_a_stated_head_size_wins(tmp_path: Path) -> None:
    model = read_model(_file(tmp_path, LLAMA | {"model_type": "qwen3", "head_dim": 128}))
    assert model.head_dim == 128


def test_the_text_part_of_a_larger_model(tmp_path: Path) -> None:
    nested = {"model_type": "pixtral", "text_config": LLAMA | {"model_type": "mistral"}}
    assert read_model(_file(tmp_path, nested)).layers == 4


def test_latent_attention(tmp_path: Path) -> None:
    model = read_model(_file(tmp_path, LATENT))
    assert model.attention == "MLA"
    assert (model.q_lora, model.kv_lora, model.nope_dim) == (96, 64, 32)
    assert (model.rope_dim, model.v_dim) == (16, 32)
    assert (model.experts, model.experts_active, model.shared_experts) == (8, 2, 1)
    assert (model.moe_ffn, model.dense_layers) == (256, 1)


def test_experts_of_mixtral_and_qwen(tmp_path: Path) -> None:
    mixtral = LLAMA | {
        "model_type": "mixtral", "num_local_experts": 8, "num_experts_per_tok": 2,
    }  # fmt: skip
    model = read_model(_file(tmp_path, mixtral))
    assert (model.experts, model.experts_active, model.moe_ffn) == (8, 2, 4096)
    qwen = LLAMA | {
        "model_type": "qwen3_moe", "num_experts": 128, "num_experts_per_tok": 8,
        "moe_intermediate_size": 768,
    }  # fmt: skip
    model = read_model(_file(tmp_path, qwen))
    assert (model.experts, model.experts_active, model.moe_ffn) == (128, 8, 768)
    assert (model.shared_experts, model.dense_layers) == (0, 0)


def test_a_file_with_our_own_fields(tmp_path: Path) -> None:
    own = {
        "layers": 2, "hidden": 64, "heads": 8, "kv_heads": 8, "head_dim": 8, "ffn": 256,
        "vocab": 100, "attention": "MHA",
    }  # fmt: skip
    model = read_model(_file(tmp_path, own, "My Model.json"))
    assert (model.id, model.name, model.layers) == ("my-model", "My Model", 2)
    with pytest.raises(BadInputError, match="`layres`"):
        read_model(_file(tmp_path, own | {"layres": 3}))


@pytest.mark.parametrize(
    ("value", "what"),
    [
        ({"is": "a drawing"}, "no model"),
        ([1, 2], "no model"),
        (LLAMA | {"model_type": "mamba"}, '"mamba" is not known'),
        ({"architectures": ["Odd"]}, "is not known"),
        (LLAMA | {"num_hidden_layers": None}, "num_hidden_layers"),
        (LLAMA | {"num_hidden_layers": "4"}, "num_hidden_layers"),
        (LLAMA | {"num_hidden_layers": True}, "num_hidden_layers"),
        (LLAMA | {"num_hidden_layers": 0}, "field layers"),
        (LLAMA | {"num_key_value_heads": 3}, "field kv_heads"),
        (LLAMA | {"vocab_size": 10**30}, "vocab"),
    ],
)
def test_a_file_that_is_no_model_is_one_line(tmp_path: Path, value: object, what: str) -> None:
    path = _file(tmp_path, value)
    with pytest.raises(BadInputError) as caught:
        read_model(path)
    assert what in caught.value.line
    assert str(path) in caught.value.line
    assert "\n" not in caught.value.line


def test_files_that_cannot_be_read(tmp_path: Path, catalog: Catalog) -> None:
    with pytest.raises(BadInputError, match="no such file"):
        resolve_model(str(tmp_path / "none.json"), catalog)
    empty = tmp_path / "empty.json"
    empty.write_text("")
    with pytest.raises(BadInputError, match="not JSON"):
        resolve_model(str(empty), catalog)
    empty.write_bytes(b"\x89PNG\x00\xff")
    with pytest.raises(BadInputError, match="not JSON"):
        resolve_model(str(empty), catalog)
    empty.write_text("[" * 200_000)
    with pytest.raises(BadInputError, match="not JSON"):
        resolve_model(str(empty), catalog)


_values = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5)


@given(
    config=st.sampled_from([LLAMA, LATENT]),
    change=st.dictionaries(
        st.sampled_from(sorted(LATENT)), _values | st.lists(_values), max_size=4
    ),
)
def test_a_damaged_config_never_surprises(
    config: dict[str, object], change: dict[str, object], tmp_path: Path
) -> None:
    path = tmp_path / "config.json"
    path.write_text(json.dumps(config | change))
    with contextlib.suppress(BadInputError):
        assert read_model(path).layers >= 1


@pytest.mark.parametrize(
    ("name", "known"),
    [("DeepSeek-V3", "deepseek-v3"), ("Meta-Llama-3.1-70B", "llama3-70b"),
     ("Qwen3-32B", "qwen3-32b"), ("Mixtral-8x7B-v0.1", "mixtral-8x7b")],
)  # fmt: skip
def test_published_configs_agree_with_the_catalogue(
    catalog: Catalog, shared_folder: Path, name: str, known: str
) -> None:
    read = read_model(shared_folder / "corpus/hf_config" / f"{name}.json")
    entry = catalog.model(known)
    fields = (
        "layers", "hidden", "heads", "kv_heads", "head_dim", "ffn", "vocab", "attention",
        "experts", "experts_active", "moe_ffn", "q_lora", "kv_lora", "nope_dim", "rope_dim",
        "v_dim", "tied_embeddings",
    )  # fmt: skip
    for field in fields:
        assert getattr(read, field) == getattr(entry, field), field
