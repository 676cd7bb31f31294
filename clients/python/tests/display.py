"""What notebooks show holds nothing that a browser would run, whatever data, questions and models hold."""

from __future__ import annotations

import sys
from html.parser import HTMLParser

import quern
from quern.display import answer_html, markdown

HOSTILE = "<script>alert(1)</script>\"'><img src=x onerror=alert(1)> **`<b>`** | [x](javascript:alert(1))"
ALLOWED = {
    "style", "div", "p", "b", "ul", "ol", "li", "table", "thead", "tbody", "tr", "th", "td", "details", "summary", "pre",
    "code", "br", "svg", "text", "rect", "polyline",
}  # fmt: skip


class Strict(HTMLParser):
    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in ALLOWED, f"<{tag}> is in what a notebook shows"
        for name, value in attrs:
            assert not name.startswith("on") and name not in ("href", "src"), f"{name}={value} is in what a notebook shows"


def hostile(kind: str) -> quern.Answer:
    result = quern.Result([HOSTILE, "n"], [(HOSTILE, 1), (None, 2.5), ({"a": HOSTILE}, None)], 9, True, HOSTILE)
    chart = {"kind": kind, "x": HOSTILE, "y": ["n"], "unit": HOSTILE, "reason": HOSTILE}
    step = quern.Step(0, HOSTILE, HOSTILE, HOSTILE, result, True, [HOSTILE], [], chart)  # type: ignore[arg-type]
    return quern.Answer(HOSTILE, response=HOSTILE, steps=[step, step], doubt=True, notes=[HOSTILE])


def main() -> int:
    for kind in ("numbers", "bars", "shares", "calendarBars", "line", "table", HOSTILE):
        shown = answer_html(hostile(kind))
        Strict().feed(shown)
        assert "Doubt this answer" in shown and "3 of 9 rows, cut" in shown
    back = quern.Answer(clarification={"question": HOSTILE, "choices": [{"label": HOSTILE, "question": HOSTILE}]})
    Strict().feed(answer_html(back))
    tabled = quern.Answer("q", response="The ships:\n\n| kind |\n|---|\n| ferry |\n", steps=hostile("table").steps)
    assert "ferry" not in answer_html(tabled), "a table of words stands beside the table of rows"
    assert markdown("- a\n- **b**") == "<ul><li>a</li><li><b>b</b></li></ul>"
    print("ok the display")
    return 0


if __name__ == "__main__":
    sys.exit(main())
