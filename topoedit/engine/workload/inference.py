"""Bytes and seconds of serving a model: key-value caches, decoding, replicas.

Sources: "Insights into DeepSeek-V3" 2025 (caches of a token, decoding with expert parallelism),
DeepSeek open-infra-index day 6 (nodes of a serving fleet), Megatron-LM 2021 (two all-reduces a
layer).
"""

from __future__ import annotations

from topoedit.catalog.types import Llm

DISPATCH_BYTES, COMBINE_BYTES = 1.0, 2.0
"""Bytes of an element on its way to the experts (fp8) and back (bf16) in DeepSeek-V3."""


def cache_bytes_per_token(llm: Llm, width: float = 2.0) -> float:
    """Key-value cache of one token: 2 x layers x KV heads x head width, or the latent of MLA.

    Args:
        llm: the model.
        width: bytes of an element.
    """
    if llm.attention == "MLA" and llm.kv_lora:
        return llm.layers * (llm.kv_lora + (llm.rope_dim or 0)) * width
    return 2 * llm.layers * llm.kv_heads * llm.head_dim * width


def cache_transfer_seconds(llm: Llm, tokens: int, rate: float) -> float:
    """Seconds to hand the cache of a prompt from prefill to decode at `rate` bytes/s."""
    return tokens * cache_bytes_per_token(llm) / rate


def decode_communication_seconds(layers: int, all_reduce: float) -> float:
    """Seconds a token that tensor parallelism waits: two latency-bound all-reduces a layer."""
    return 2 * layers * all_reduce


def expert_exchange_seconds(tokens: int, experts: int, hidden: int, rate: float) -> float:
    """Seconds of dispatch and combine of one layer while decoding.

    Args:
        tokens: in a micro-batch on one GPU.
        experts: that each of them goes to, the shared one included.
        hidden: width of a token.
        rate: bytes/s of one GPU.
    """
    return tokens * experts * hidden * (DISPATCH_BYTES + COMBINE_BYTES) / rate


def expert_decode_seconds(layers: int, exchange: float) -> float:
    """Seconds a token when two micro-batches take turns and computing is hidden: 2 x layers."""
    return 2 * layers * exchange


def nodes_needed(tokens_per_s: float, node_tokens_per_s: float, used: float = 1.0) -> float:
    """Mean number of nodes that serve `tokens_per_s`, each kept busy to the share `used`."""
    return tokens_per_s / (node_tokens_per_s * used)
