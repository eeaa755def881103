"""What reaches the terminal of texts from foreign files."""

from __future__ import annotations

from topoedit.cli._output import note, print_pairs, print_table
from topoedit.cli.main import main


def test_control_characters_do_not_reach_the_terminal(capsys):
    print_table(("row", "why"), [("A\x1b[2J", "\x00 is no number"), ("B", None)])
    print_pairs([("name\x07", "a\u202eb"), ("bytes", "12\u2009345 µs – ok")])
    note("said \x1b]0;title\x07")
    out, err = capsys.readouterr()
    assert not {"\x1b", "\x00", "\x07", "\u202e"} & set(out + err)
    assert "A\ufffd[2J" in out
    assert "12\u2009345 µs – ok" in out
    assert err == "topoedit: said \ufffd]0;title\ufffd\n"


def test_nor_those_of_a_refusal(capsys, tmp_path):
    assert main(["info", str(tmp_path / "a\x1b[2Jb\nc")]) == 2
    err = capsys.readouterr().err
    assert "\x1b" not in err
    assert err.count("\n") == 1
