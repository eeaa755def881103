from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topoedit.errors import BadInputError
from topoedit.model.ports import collapse, count, expand, natural_key

names = st.lists(
    st.one_of(
        st.text(alphabet="ab-',/0129", max_size=6),
        st.integers(0, 20).map(lambda n: f"nic{n}"),
        st.integers(1, 12).map(lambda n: f"{n:02d}"),
    ),
    max_size=12,
)


@given(names)
def test_collapse_then_expand_is_the_same_names(items: list[str]) -> None:
    assert list(expand(collapse(items))) == items


@pytest.mark.parametrize(
    ("items", "text"),
    [
        (["33", "34"], "33-34"),
        (["nic0", "nic1", "nic2", "mgmt"], "nic0-2,mgmt"),
        (["09", "10"], "09-10"),
        (["e1-1"], "'e1-1'"),
        ([], ""),
    ],
)
def test_range_texts(items: list[str], text: str) -> None:
    assert collapse(items) == text
    assert count(text) == len(items)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("8-1", "8-1 is not a run of names. Write the smaller number first"),
        ("1-99999999", "1-99999999 is not a run of at most 1,000,000 names"),
        ("1-" + "9" * 5000, "is not a run of at most 1,000,000 names"),
    ],
)
def test_bad_ranges_are_refused_in_one_line(text: str, says: str) -> None:
    with pytest.raises(BadInputError, match=says) as caught:
        expand(text)
    assert "\n" not in caught.value.line


def test_natural_order_counts() -> None:
    assert sorted(["node-10", "node-2", "node-1"], key=natural_key)[1] == "node-2"
