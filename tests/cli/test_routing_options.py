"""`--routing` and what belongs to it, in `analyze` and `collective`."""

from __future__ import annotations

import pytest

from topoedit.paths import samples

FAT_TREE = samples() / "fabric-1024.topo.json"
POD = samples() / "pod64-h100.topo.json"
PLAN = ("--model", "llama-3.1-8b", "--tp", "8", "--json")
CALL = ("--op", "all_reduce", "--bytes", "1GB", "--algorithm", "ring", "--ring-order", "strided")


def test_analyze_tells_the_mode_the_share_and_the_spread(topoedit):
    ran = topoedit(
        "analyze", POD, *PLAN, "--routing", "hash", "--seeds", "20", "--flows-per-connection", "2"
    )
    found = ran.json
    routing = found["routing"]
    assert (routing["mode"], routing["seeds"], routing["flows_per_connection"]) == ("hash", 20, 2)
    assert routing["efficiency"] == 0.95
    assert routing["median_s"] == found["step_time_s"] <= routing["p95_s"] <= routing["worst_s"]
    echo = found["workload"]
    assert (echo["routing"], echo["seeds"], echo["flows_per_connection"]) == ("hash", 20, 2)
    assert any("20 draws" in text for text in found["warnings"])


def test_a_share_can_be_given(topoedit):
    ran = topoedit("analyze", POD, *PLAN, "--routing", "ecmp", "--routing-efficiency", "0.7")
    assert ran.json["routing"]["efficiency"] == 0.7
    ran = topoedit("analyze", POD, *PLAN, "--routing-efficiency", "7")
    assert ran.code == 2
    assert ran.err.strip().splitlines()[-1].endswith("Give 0.01 to 1")


def test_a_collective_by_hash_is_slower_than_by_spraying(topoedit):
    slow = topoedit("collective", FAT_TREE, *CALL, "--routing", "hash", "--seeds", "20", "--json")
    fast = topoedit("collective", FAT_TREE, *CALL, "--routing", "adaptive", "--json")
    assert slow.json["time_s"] > 1.5 * fast.json["time_s"]
    assert slow.json["spread"]["seeds"] == 20
    assert slow.json["spread"]["median_s"] == slow.json["time_s"]
    assert fast.json["spread"] is None
    told = topoedit("collective", FAT_TREE, *CALL, "--routing", "hash", "--seeds", "20")
    assert "median of 20 draws" in told.out


@pytest.mark.parametrize(
    ("words", "mend"),
    [
        (("--routing", "hash", "--seeds", "0"), "Give 1 to 10000"),
        (("--routing", "hash", "--flows-per-connection", "0"), "Give 1 to 1024"),
        (("--routing", "luck"), "Known: ecmp, adaptive, mrc, hash, static, rail-only, lft"),
    ],
)
def test_bad_words_are_one_line(topoedit, words, mend):
    ran = topoedit("collective", POD, *CALL, *words)
    assert (ran.code, ran.out) == (2, "")
    assert mend in ran.err
    assert len(ran.err.strip().splitlines()) == 1


def test_static_rails_without_pxn_leave_other_rails_unreachable(topoedit):
    words = ("--op", "all_to_all", "--bytes", "1GB", "--routing", "static", "--json")
    on = topoedit("collective", POD, *words)
    assert (on.code, on.json["unreachable"]["pairs"]) == (0, 0)
    off = topoedit("collective", POD, *words, "--pxn", "off")
    # of 63 others, each GPU reaches the 7 of its server and the 7 of its rail
    assert (off.code, off.json["unreachable"]["pairs"]) == (1, 64 * 49)
