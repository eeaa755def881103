"""One sentence on every abbreviation and term that the window uses as a label."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache


@dataclass(frozen=True)
class Term:
    """A word of the field.

    Attributes:
        word: as it is written in labels.
        long: what it stands for, "" if it is no abbreviation.
        sentence: what it means.
    """

    word: str
    long: str
    sentence: str

    @property
    def tip(self) -> str:
        """Both in one line, for a tooltip."""
        return f"{self.long}: {self.sentence}" if self.long else self.sentence


def _terms(text: str) -> tuple[Term, ...]:
    """Terms from lines of `word | long | sentence`."""
    rows = (line.split("|") for line in text.strip().splitlines())
    return tuple(Term(*(part.strip() for part in row)) for row in rows)


TERMS: tuple[Term, ...] = _terms("""
1F1B | One forward, one backward | a pipeline schedule in which each stage alternates between micro-batches going forward and coming back.
AEC | Active electrical cable | copper with a retimer at each end, which reaches further than a passive cable.
Algbw | Algorithm bandwidth | bytes of a collective divided by the time it takes.
All-to-all | | Every rank sends a different part to every other rank, as experts do with tokens.
AOC | Active optical cable | fibre with fixed transceivers at both ends.
BF16 | Brain floating point, 16 bits | a number format with the range of 32-bit numbers and less precision.
Bisection | | The bandwidth between two halves of the cluster when it is cut where that is smallest.
BMC | Baseboard management controller | the small computer that switches a server on and off and watches it.
BOM | Bill of materials | every part to buy, with how many of it.
Bubble | | Time in which pipeline stages wait for work at the start and end of a step.
Busbw | Bus bandwidth | algorithm bandwidth corrected by what the collective must move, to be compared with the rate of a link.
Collective | | An exchange that all ranks of a group take part in, such as an all-reduce.
CP | Context parallel | each sequence is split over so many GPUs.
DAC | Direct attach copper | a passive copper cable with fixed ends, for a few metres.
DCI | Data centre interconnect | the routers and lines that join sites.
Demand | | Bytes on a link over its capacity times the time they may hide in; only this figure may pass 100 %.
DiLoCo | Distributed low-communication training | sites train apart for many steps and average what they have learned.
DP | Data parallel | so many replicas of the model, each with a part of the batch.
ECMP | Equal-cost multi-path | traffic is spread over all shortest paths.
EP | Expert parallel | the experts of a model are spread over so many GPUs.
FLOP/s | Floating-point operations per second | how fast a chip calculates; here without sparsity.
FP8 | Floating point, 8 bits | a number format that halves the bytes of 16-bit numbers.
FSDP | Fully sharded data parallel | parameters, gradients and optimizer are spread over the replicas.
GBS | Global batch size | sequences in a step over all replicas.
Global batch | Global batch size, GBS | sequences in a step over all replicas.
GPUDirect | | A NIC reads and writes the memory of a GPU without a copy through the host.
HBM | High-bandwidth memory | the memory beside the chip of a GPU.
HFU | Hardware FLOPs utilisation | all calculation of a step, with what was recomputed, over what the GPUs could do.
KV | Keys and values | what attention keeps of earlier tokens, sent between servers in inference.
MFU | Model FLOPs utilisation | the calculation that the model needs in a step over what the GPUs could do in that time.
Micro-batch | | Sequences that pass through a stage at a time.
MoE | Mixture of experts | a model in which each token goes through a few of many experts.
MPO | Multi-fibre push-on | a connector for 8 to 16 fibres.
NIC | Network interface card | what joins a server to the network; its index is its rail.
NVL72 | | A rack whose 72 GPUs are one NVLink network.
NVLink | | The links between GPUs of one server or rack.
NVLS | NVLink SHARP | NVSwitch chips add up the parts of a reduction inside the switch.
NVSwitch | | The switch chips that join the GPUs of a server or rack.
OCS | Optical circuit switch | mirrors that join fibres to one another, one to one.
OSFP | Octal small form-factor pluggable | a cage for transceivers of eight lanes.
Oversubscription | | Bandwidth towards the servers over bandwidth towards the spines; 1:1 holds nothing up.
Phase share | | The share of a link's capacity in its busiest phase of the step; at most 100 %.
Plane | | One of several parallel fabrics of a network.
PP | Pipeline parallel | the layers are dealt out to so many stages.
PXN | PCIe and NVLink exchange | data goes by NVLink to the GPU on the right rail and leaves by its NIC.
Rail | | The index of a NIC in its server; NICs of one index share leaves.
RDMA | Remote direct memory access | a NIC reads and writes the memory of another computer without its processor.
RoCE | RDMA over converged Ethernet | remote memory access over Ethernet instead of InfiniBand.
SHARP | Scalable hierarchical aggregation and reduction protocol | switches add up the parts of a reduction on the way.
SP | Sequence parallel | what tensor parallel leaves whole is split along the sequence.
Spine-leaf | | Leaves hold the servers and spines join the leaves.
TP | Tensor parallel | each layer is split over so many GPUs.
Utilisation | | Bytes on a link over its capacity times the whole step; at most 100 %.
VPP | Virtual pipeline parallel | so many chunks of layers on each stage, which shortens the bubble.
WAN | Wide area network | lines between sites.
xGMI | External global memory interconnect | the links between AMD GPUs of a server.
ZeRO | Zero redundancy optimizer | optimizer, gradients or parameters are sharded over the replicas.
""")  # fmt: skip  # noqa: E501


@lru_cache(maxsize=1)
def by_word() -> Mapping[str, Term]:
    """Terms by their word without regard to capitals."""
    return {term.word.casefold(): term for term in TERMS}


def explain(text: str) -> str:
    """The tooltip of a label that is a term, "" of any other label."""
    found = by_word().get(text.strip().rstrip(":…").casefold())
    return "" if found is None else found.tip


def search(query: str) -> list[Term]:
    """Terms with every word of a query, those whose own word begins with it first."""
    words = query.casefold().split()
    found = [t for t in TERMS if all(w in f"{t.word} {t.tip}".casefold() for w in words)]
    begin = re.escape(query.strip().casefold())
    return sorted(found, key=lambda t: not re.match(begin, t.word.casefold()))
