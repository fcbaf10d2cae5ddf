"""Documents are rendered as HTML in which foreign text is only text. covers: CMD-WEB, T5"""

from __future__ import annotations

import re

import pytest

from autopilot.web.markdown import LONGEST, render_markdown


def test_a_document_has_headings_lists_tables_and_code() -> None:
    shown = render_markdown("# Plan\n\n- one\n- `two`\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```sh\nmake test\n```\n")
    for part in ("<h2>Plan</h2>", "<li>one</li>", "<code>two</code>", "<td>1</td>", "make test"):
        assert part in shown


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "![x](https://evil.example/x.png)",
        "[x](javascript:alert(1))",
        "[x](https://evil.example)",
        "<https://evil.example>",
        "[x]: https://evil.example\n\n[x]",
        "<details open ontoggle=alert(1)>",
        "| <b onclick=alert(1)>a</b> |\n|---|\n| x |",
        '```"><script>alert(1)</script>\nx\n```',
        "&lt;script&gt;alert(1)&lt;/script&gt;",
    ],
)
def test_nothing_of_a_document_runs_fetches_or_leads_out(text: str) -> None:
    shown = render_markdown(text)
    assert not re.search(r"<(script|img|a|b|details|iframe)\b", shown)
    assert not re.search(r"<[^>]*\b(on\w+|href|src|style)=", shown)


def test_headings_begin_below_the_title_of_the_page_and_leave_no_level_out() -> None:
    shown = render_markdown("# One\n\n#### Deep\n\n## Two\n")
    assert re.findall(r"<h(\d)", shown) == ["2", "3", "3"]


def test_a_column_without_a_name_has_no_empty_header() -> None:
    shown = render_markdown("|  | b |\n|---|---|\n| 1 | 2 |\n")
    assert "<th></th>" not in shown
    assert "<th>b</th>" in shown


def test_a_document_without_end_is_cut_and_says_so() -> None:
    assert "5 characters more" in render_markdown("x" * (LONGEST + 5))
