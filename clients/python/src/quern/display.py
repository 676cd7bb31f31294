"""Answers as notebooks show them. All that comes from data, questions or models is escaped; nothing is run or loaded."""

from __future__ import annotations

import json
import re
from html import escape
from typing import TYPE_CHECKING, Any

from .drawing import draw

if TYPE_CHECKING:
    from .values import Answer, Result, Step

SHOWN_ROWS = 20
SHOWN_CHARACTERS = 200

TABLE = re.compile(r"^\|.*\|[ \t]*(?:\n|\Z)", re.MULTILINE)

STYLE = """<style>
.quern{font:14px/1.5 system-ui,sans-serif;max-width:760px;color:#1c1f23;background:#fff;padding:2px 4px}
.quern p,.quern ul{margin:.4em 0}.quern .says{font-size:16px}
.quern .doubt{border-left:3px solid #b45309;background:#fffbeb;padding:6px 10px;margin:.6em 0}
.quern .note{color:#5b6472}.quern .back{border-left:3px solid #2563eb;background:#eff6ff;padding:6px 10px;margin:.6em 0}
.quern table{border-collapse:collapse;font-size:13px;margin:.5em 0}
.quern th,.quern td{border:0;border-bottom:1px solid #e5e7eb;padding:3px 10px 3px 0;text-align:left;background:none}
.quern th{color:#5b6472;font-weight:600}.quern td.n,.quern th.n{text-align:right;font-variant-numeric:tabular-nums}
.quern .null{color:#9aa1ab}.quern pre{background:#f6f7f9;border-radius:4px;padding:8px;white-space:pre-wrap;font-size:12px}
.quern summary{cursor:pointer;color:#5b6472}.quern svg{display:block;margin:.5em 0}
</style>"""


def answer_html(answer: Answer) -> str:
    """The answer, its doubt, and of each step the chart, the table and the query."""
    # The rows of steps are shown below: a table of the same among the words would be the second one.
    words = TABLE.sub("", answer.response) if any(step.query for step in answer.steps) else answer.response
    parts = [] if answer.clarification else [f'<div class="says">{markdown(words)}</div>']
    if answer.doubt:
        why = "".join(f"<li>{escape(note)}</li>" for note in doubts(answer))
        parts.append(f'<div class="doubt"><b>Doubt this answer.</b><ul>{why}</ul></div>')
    if answer.clarification:
        choices = "".join(f"<li>{escape(choice['label'])}</li>" for choice in answer.choices)
        parts.append(f'<div class="back">{escape(answer.clarification["question"])}<ol>{choices}</ol></div>')
    told = set(doubts(answer)) if answer.doubt else set()
    parts += [f'<p class="note">{escape(note)}</p>' for note in answer.notes if note not in told]
    several = len(answer.steps) > 1
    parts += [step_html(step, several) for step in answer.steps if step.query]
    return framed("".join(parts))


def doubts(answer: Answer) -> list[str]:
    """Why an answer should be doubted, each reason once."""
    notes = [note for step in answer.steps if step.doubt for note in step.notes]
    return list(dict.fromkeys(notes or answer.notes))


def step_html(step: Step, several: bool) -> str:
    head = f"<p><b>{step.index + 1}.</b> {escape(step.instruction)}</p>" if several else ""
    drawn = draw(step.chart, step.result) if step.chart else ""
    query = f"<details><summary>Query</summary><pre>{escape(step.query)}</pre><p class=note>{escape(step.reasoning)}</p></details>"
    return head + drawn + table_html(step.result) + query


def result_html(result: Result) -> str:
    return framed(table_html(result))


def framed(body: str) -> str:
    return f'{STYLE}<div class="quern">{body}</div>'


def table_html(result: Result) -> str:
    """Some rows as a table, and a word on how many there are."""
    if not result.columns:
        return '<p class="note">no rows</p>'
    numeric = [all(is_number(row[i]) for row in result.rows if row[i] is not None) for i in range(len(result.columns))]
    head = "".join(f"<th{' class=n' if numeric[i] else ''}>{escape(name)}</th>" for i, name in enumerate(result.columns))
    body = "".join(
        "<tr>" + "".join(cell_html(value, numeric[i]) for i, value in enumerate(row)) + "</tr>" for row in result.rows[:SHOWN_ROWS]
    )
    shown = min(SHOWN_ROWS, len(result.rows))
    count = result.count if shown == len(result.rows) else f"{shown} shown; {result.count}"
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table><p class=note>{escape(count)}</p>"


def is_number(value: Any) -> bool:
    return hasattr(value, "as_integer_ratio")


def cell_html(value: Any, numeric: bool) -> str:
    if value is None:
        return f"<td class={'n' if numeric else 'null'}>–</td>"
    text = value if isinstance(value, str) else str(value) if is_number(value) else json.dumps(value, ensure_ascii=False, default=str)
    if isinstance(value, bool):
        text = "true" if value else "false"
    if len(text) > SHOWN_CHARACTERS:
        text = text[:SHOWN_CHARACTERS] + "…"
    return f"<td{' class=n' if numeric else ''}>{escape(text)}</td>"


def markdown(text: str) -> str:
    """The little Markdown that answers use: paragraphs, lists, tables, bold and code. Everything is escaped first."""
    return "".join(block(lines.split("\n")) for lines in re.split(r"\n\s*\n", text.strip()) if lines)


def block(lines: list[str]) -> str:
    if all(line.lstrip().startswith(("- ", "* ")) for line in lines):
        return "<ul>" + "".join(f"<li>{inline(line.lstrip()[2:])}</li>" for line in lines) + "</ul>"
    if len(lines) > 1 and all(line.startswith("|") for line in lines) and re.fullmatch(r"[|:\- ]+", lines[1]):
        head, rows = cells(lines[0], "th"), "".join(f"<tr>{cells(line, 'td')}</tr>" for line in lines[2:])
        return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
    return f"<p>{'<br>'.join(inline(line) for line in lines)}</p>"


def cells(line: str, tag: str) -> str:
    return "".join(f"<{tag}>{inline(cell.strip())}</{tag}>" for cell in re.split(r"(?<!\\)\|", line.strip().strip("|")))


def inline(text: str) -> str:
    text = escape(text)
    text = re.sub(r"`([^`]+)`", r"<code>\1</code>", text)
    text = re.sub(r"\*\*([^*]+)\*\*", r"<b>\1</b>", text)
    return re.sub(r"\\([\\`*_{}\[\]()#+\-.!|])", r"\1", text)
