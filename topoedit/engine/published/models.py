"""The shape of a published row's model: its own columns first, the catalogue for the rest."""

from __future__ import annotations

from collections.abc import Mapping

from topoedit.catalog.types import Llm
from topoedit.engine.published.names import Names
from topoedit.engine.published.table import TableRow
from topoedit.engine.workload.arrays import shape_row

Shape = dict[str, float | bool]

DEFAULT_VOCABULARY = 51200
_UNGATED = ("gpt", "mpt", "nemotron", "opt", "bloom", "megatron", "falcon", "pythia")
_TIED = ("gpt", "mpt", "opt", "bloom", "falcon")


def shape_of(row: TableRow, names: Names) -> tuple[Shape, tuple[str, ...]]:
    """Every field of the model's shape, and what had to be assumed.

    Raises:
        ValueError: neither the row nor the catalogue says enough.
    """
    name = row.text("model").lower()
    known = names.model(name)
    notes: list[str] = []
    own = {field: row.whole(field) for field in ("layers", "hidden", "heads")}
    if known is None and (missing := [f for f, value in own.items() if value is None]):
        raise ValueError(
            f"the row gives no {', '.join(missing)} and the catalogue has no such model"
        )
    like = known if known is not None and _same_width(known, own) else None
    shape: Shape = dict(shape_row(like)) if like is not None else dict(_PLAIN)
    if known is not None and None in own.values():
        shape = dict(shape_row(known))
        notes.append(f"shape of {known.id} from the catalogue")
    shape |= {field: value for field, value in own.items() if value is not None}
    _attention(shape, row, like)
    _feed_forward(shape, row, like)
    vocabulary = row.whole("vocab")
    if vocabulary is None and like is None:
        notes.append(f"vocabulary of {DEFAULT_VOCABULARY}, not stated")
    shape["vocab"] = vocabulary or shape.get("vocab") or DEFAULT_VOCABULARY
    if like is None:
        shape["gated"], shape["tied"] = _family(name)
    return shape, tuple(notes)


_PLAIN: Mapping[str, float | bool] = {
    "vocab": 0, "experts": 0, "top_k": 0, "moe_ffn": 0, "shared_ffn": 0, "dense_layers": 0,
    "expert_groups": 0, "groups_per_token": 0, "expert_bias": False,
    "mla_q": 0, "mla_kv": 0, "mla_rope": 0,
}  # fmt: skip


def _family(name: str) -> tuple[bool, bool]:
    """Whether a model that the catalogue lacks has gated feed-forwards and tied embeddings."""
    if "oss" in name:
        return True, False
    return not any(word in name for word in _UNGATED), any(word in name for word in _TIED)


def _same_width(known: Llm, own: Mapping[str, int | None]) -> bool:
    """The row's own hidden size and heads are the catalogue's (layers may be a reduced proxy)."""
    return own["hidden"] in (None, known.hidden) and own["heads"] in (None, known.heads)


def _attention(shape: Shape, row: TableRow, like: Llm | None) -> None:
    heads, hidden = float(shape["heads"]), float(shape["hidden"])
    if row.text("kv_heads").upper() == "MLA":
        if like is None or not shape["mla_kv"]:
            raise ValueError("latent attention of a model whose ranks the catalogue does not have")
    else:
        kv_heads = row.whole("kv_heads")
        shape["kv_heads"] = kv_heads or (like.kv_heads if like is not None else heads)
    head_dim = row.whole("head_dim")
    shape["head_dim"] = head_dim or (like.head_dim if like is not None else hidden / heads)


def _feed_forward(shape: Shape, row: TableRow, like: Llm | None) -> None:
    """`ffn_hidden` is the width of an expert where there are experts."""
    experts, width = row.number("experts"), row.whole("ffn_hidden")
    if experts:
        shape["experts"] = experts
        shape["top_k"] = row.whole("active_experts") or (like.experts_active if like else None) or 1
        shape["moe_ffn"] = width or (like.moe_ffn if like is not None else None) or 0
        if not shape["moe_ffn"]:
            raise ValueError("ffn_hidden, the width of an expert, is not given")
        shape["ffn"] = like.ffn if like is not None else float(shape["moe_ffn"])
        return
    if like is not None and like.experts and not row.text("experts"):
        return
    shape |= dict.fromkeys(("experts", "top_k", "moe_ffn", "shared_ffn", "dense_layers"), 0)
    shape["ffn"] = width or (like.ffn if like is not None else 4 * float(shape["hidden"]))
