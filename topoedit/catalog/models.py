"""A model by catalogue name, or by a file: our own shape, or a Hugging Face `config.json`.

Each architecture read here is one row of `_ARCHITECTURES`; the names on the right are the keys of
the public `config.json` files (Hugging Face transformers, configuration classes).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path

from topoedit.catalog.catalog import Catalog
from topoedit.catalog.sections import entry
from topoedit.catalog.types import Llm
from topoedit.errors import BadCatalogError, BadInputError

MAX_BYTES = 4_000_000
_OURS = "Give a name from `topoedit catalog models`, or a config.json"
Fields = dict[str, object]


def resolve_model(name_or_path: str, catalog: Catalog) -> Llm:
    """The model shape with this catalogue id or alias, or that in this JSON file.

    Raises:
        BadInputError: there is no such model, the file cannot be read or holds no model, or its
            architecture is not known; one line that says which.
    """
    path = Path(name_or_path)
    if path.suffix.lower() == ".json" or _is_file(path):
        return read_model(path)
    return catalog.model(name_or_path)


def read_model(path: Path) -> Llm:
    """The model shape in a JSON file.

    Raises:
        BadInputError: the file cannot be read or holds no model that is understood.
    """
    tree = _json(path)
    if "model_type" in tree or "architectures" in tree or "text_config" in tree:
        row = _from_hugging_face(tree, path)
    elif "layers" in tree and "hidden" in tree:
        row = {"id": _id(path), "name": path.stem, "source": f"file {path.name}", **tree}
    else:
        raise BadInputError("this JSON is no model", str(path), _OURS)
    try:
        return entry(row, Llm, str(path))
    except BadCatalogError as error:
        raise BadInputError(error.what, error.where, error.mend) from None


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def _json(path: Path) -> dict[str, object]:
    where = str(path)
    try:
        if not path.is_file():
            raise BadInputError("there is no such file", where, _OURS)
        if path.stat().st_size > MAX_BYTES:
            raise BadInputError(f"too large for a model ({MAX_BYTES // 1_000_000} MB)", where)
        tree = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadInputError(f"cannot be read: {error.strerror}", where) from None
    except (ValueError, RecursionError):
        raise BadInputError("this is not JSON", where, _OURS) from None
    if not isinstance(tree, dict):
        raise BadInputError("this JSON is no model", where, _OURS)
    return tree


# -- Hugging Face ----------------------------------------------------------------------------------

_COMMON = {
    "layers": "num_hidden_layers",
    "hidden": "hidden_size",
    "heads": "num_attention_heads",
    "ffn": "intermediate_size",
    "vocab": "vocab_size",
}


def _from_hugging_face(tree: Mapping[str, object], path: Path) -> Fields:
    kind, config = _text_part(tree)
    read = _ARCHITECTURES.get(kind)
    if read is None:
        raise BadInputError(
            f'the architecture "{kind[:60] or "unnamed"}" is not known',
            str(path),
            f"Known: {', '.join(_ARCHITECTURES)}",
        )
    row: Fields = {ours: _need(config, theirs, path) for ours, theirs in _COMMON.items()}
    row |= {
        "id": _id(path),
        "name": _name(tree, path),
        "source": f"file {path.name}",
        "tied_embeddings": bool(config.get("tie_word_embeddings", False)),
        "context": config.get("max_position_embeddings"),
    }
    return row | read(config, path)


def _text_part(tree: Mapping[str, object]) -> tuple[str, Mapping[str, object]]:
    inner = tree.get("text_config")
    config = inner if isinstance(inner, dict) else tree
    kind = config.get("model_type") or tree.get("model_type")
    return (kind if isinstance(kind, str) else ""), config


def _grouped(config: Mapping[str, object], path: Path) -> Fields:
    """Multi-head or grouped-query attention."""
    heads = _need(config, "num_attention_heads", path)
    kv_heads = config.get("num_key_value_heads")
    kv_heads = heads if kv_heads is None else kv_heads
    head_dim = config.get("head_dim")
    if head_dim is None:
        head_dim = _need(config, "hidden_size", path) // max(heads, 1)
    attention = "MHA" if kv_heads == heads else "GQA"
    return {"kv_heads": kv_heads, "head_dim": head_dim, "attention": attention}


def _latent(config: Mapping[str, object], path: Path) -> Fields:
    """DeepSeek's latent attention, and its experts after some dense layers."""
    nope = _need(config, "qk_nope_head_dim", path)
    return {
        "attention": "MLA",
        "kv_heads": config.get("num_key_value_heads") or _need(config, "num_attention_heads", path),
        "head_dim": nope,
        "q_lora": config.get("q_lora_rank"),
        "kv_lora": _need(config, "kv_lora_rank", path),
        "nope_dim": nope,
        "rope_dim": _need(config, "qk_rope_head_dim", path),
        "v_dim": _need(config, "v_head_dim", path),
        "experts": _need(config, "n_routed_experts", path),
        "experts_active": _need(config, "num_experts_per_tok", path),
        "shared_experts": config.get("n_shared_experts") or 0,
        "moe_ffn": _need(config, "moe_intermediate_size", path),
        "dense_layers": config.get("first_k_dense_replace") or 0,
        **_groups(config),
    }


def _groups(config: Mapping[str, object]) -> Fields:
    """Node-limited routing; one group is none."""
    groups, chosen = config.get("n_group"), config.get("topk_group")
    if not isinstance(groups, int) or not isinstance(chosen, int) or groups < 2:
        return {}
    return {"expert_groups": groups, "expert_groups_active": chosen}


def _mixtral(config: Mapping[str, object], path: Path) -> Fields:
    return _grouped(config, path) | {
        "experts": _need(config, "num_local_experts", path),
        "experts_active": _need(config, "num_experts_per_tok", path),
        "shared_experts": 0,
        "moe_ffn": _need(config, "intermediate_size", path),
        "dense_layers": 0,
    }


def _qwen_moe(config: Mapping[str, object], path: Path) -> Fields:
    width = _need(config, "moe_intermediate_size", path)
    shared = config.get("shared_expert_intermediate_size")
    if config.get("decoder_sparse_step", 1) != 1:
        raise BadInputError("experts in some layers only are not understood", str(path))
    dense = config.get("mlp_only_layers")
    return _grouped(config, path) | {
        "experts": _need(config, "num_experts", path),
        "experts_active": _need(config, "num_experts_per_tok", path),
        # A shared expert may be wider than the routed ones: count it in widths of those.
        "shared_experts": shared // width if isinstance(shared, int) and width else 0,
        "moe_ffn": width,
        "dense_layers": len(dense) if isinstance(dense, list) else 0,
    }


_ARCHITECTURES: Mapping[str, Callable[[Mapping[str, object], Path], Fields]] = {
    "llama": _grouped,
    "mistral": _grouped,
    "qwen2": _grouped,
    "qwen3": _grouped,
    "mixtral": _mixtral,
    "qwen2_moe": _qwen_moe,
    "qwen3_moe": _qwen_moe,
    "deepseek_v2": _latent,
    "deepseek_v3": _latent,
    "kimi_k2": _latent,
}


def _need(config: Mapping[str, object], key: str, path: Path) -> int:
    value = config.get(key)
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise BadInputError(f"it must state {key} as a whole number", str(path))
    return value


def _name(tree: Mapping[str, object], path: Path) -> str:
    name = tree.get("_name_or_path")
    if isinstance(name, str) and 0 < len(name) <= 200:
        return name
    return path.parent.name or path.stem if path.stem == "config" else path.stem


def _id(path: Path) -> str:
    stem = path.parent.name if path.stem == "config" and path.parent.name else path.stem
    text = "".join(c if c.isascii() and (c.isalnum() or c in "._-") else "-" for c in stem.lower())
    return text.strip("._-")[:60] or "model"
