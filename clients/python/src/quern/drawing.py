"""Charts as SVG, by the kind that the server chose for the rows. What is not drawn here is a table."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING, Any

from . import schema

if TYPE_CHECKING:
    from .values import Result

WIDTH = 680
LABELS = 170
ROW = 24
COLOURS = ["#2563eb", "#d97706", "#059669", "#9333ea", "#dc2626", "#0891b2", "#65a30d", "#6b7280"]
MOST_BARS = 25
TEXT = 'font-family="system-ui,sans-serif" font-size="12"'


def draw(chart: schema.Chart, result: Result) -> str:
    """The drawing, or nothing where the rows are better read or a value is no number."""
    y = [name for name in chart.get("y") or [] if name in result.columns]
    x = chart.get("x", "")
    if not y or not result.rows:
        return ""
    if chart["kind"] == "numbers":
        return numbers(result, y, chart.get("unit", ""))
    if x not in result.columns:
        return ""
    if chart["kind"] in ("bars", "shares", "calendarBars"):
        return bars(chart, column(result, x), values(result, y[0]), len(result.rows))
    if chart["kind"] == "line" and "series" not in chart:
        return lines(column(result, x), [(name, values(result, name)) for name in y])
    return ""


def column(result: Result, name: str) -> list[Any]:
    at = result.columns.index(name)
    return [row[at] for row in result.rows]


def values(result: Result, name: str) -> list[float | None]:
    return [number(value) for value in column(result, name)]


def number(value: Any) -> float | None:
    """A value as a length; None where there is none.

    >>> number("7"), number(True), number(7)
    (None, None, 7.0)
    """
    if isinstance(value, bool | str) or not hasattr(value, "as_integer_ratio"):
        return None
    found = float(value)
    return found if math.isfinite(found) else None


def text_of(value: Any) -> str:
    text = "–" if value is None else str(value)
    return escape(text if len(text) <= 24 else text[:23] + "…")


def shown(value: float) -> str:
    return f"{value:,.0f}" if value == int(value) else f"{value:,.2f}"


def framed(height: float, body: str, label: str) -> str:
    return (
        f'<svg role="img" aria-label="{escape(label)}" viewBox="0 0 {WIDTH} {height:.0f}" '
        f'width="{WIDTH}" height="{height:.0f}" {TEXT}>{body}</svg>'
    )


def numbers(result: Result, y: Sequence[str], unit: str) -> str:
    body, at = [], 0
    for name in y[:4]:
        value = column(result, name)[0]
        known = number(value)
        body.append(f'<text x="{at}" y="34" font-size="30" fill="#1c1f23">{text_of(value) if known is None else shown(known)}</text>')
        said = name if unit and name.lower().endswith("_" + unit.lower()) else f"{name} {unit}".strip()
        body.append(f'<text x="{at}" y="54" fill="#5b6472">{text_of(said)}</text>')
        at += WIDTH // 4
    return framed(62, "".join(body), "numbers")


def bars(chart: schema.Chart, labels: list[Any], lengths: list[float | None], rows: int) -> str:
    top = min(chart.get("top", MOST_BARS), MOST_BARS)
    shares = chart["kind"] == "shares"
    known = [value for value in lengths if value is not None]
    if not known:
        return ""
    low, high = min(0.0, *known), max(0.0, *known)
    whole = sum(known)
    scale = (WIDTH - LABELS - 80) / ((high - low) or 1.0)
    zero = LABELS - low * scale
    body = []
    for i, (label, value) in enumerate(list(zip(labels, lengths, strict=True))[:top]):
        at = i * ROW
        body.append(f'<text x="{LABELS - 8}" y="{at + 16}" text-anchor="end" fill="#1c1f23">{text_of(label)}</text>')
        if value is None:
            continue
        left, width = zero + min(value, 0.0) * scale, abs(value) * scale
        said = f"{100 * value / whole:.1f} %" if shares and whole else shown(value)
        body.append(f'<rect x="{left:.1f}" y="{at + 4}" width="{width:.1f}" height="{ROW - 8}" rx="2" fill="{COLOURS[0]}"/>')
        body.append(f'<text x="{left + width + 6:.1f}" y="{at + 16}" fill="#5b6472">{said}</text>')
    count = min(top, len(labels))
    if count < rows:
        body.append(f'<text x="{LABELS}" y="{count * ROW + 16}" fill="#5b6472">and {rows - count:,} others</text>')
        count += 1
    return framed(count * ROW + 4, "".join(body), "bars")


def lines(along: list[Any], series: list[tuple[str, list[float | None]]]) -> str:
    known = [value for _, found in series for value in found if value is not None]
    if len(along) < 2 or not known:
        return ""
    low, high = min(known), max(known)
    height, left = 180, 70
    span = (high - low) or 1.0

    def place(i: int, value: float) -> str:
        return f"{left + i * (WIDTH - left - 20) / (len(along) - 1):.1f},{12 + (high - value) / span * (height - 44):.1f}"

    body = [
        f'<text x="{left - 8}" y="{16}" text-anchor="end" fill="#5b6472">{shown(high)}</text>',
        f'<text x="{left - 8}" y="{height - 28}" text-anchor="end" fill="#5b6472">{shown(low)}</text>',
        f'<text x="{left}" y="{height - 8}" fill="#5b6472">{text_of(along[0])}</text>',
        f'<text x="{WIDTH - 20}" y="{height - 8}" text-anchor="end" fill="#5b6472">{text_of(along[-1])}</text>',
    ]
    for n, (_, found) in enumerate(series[: len(COLOURS)]):
        points = " ".join(place(i, value) for i, value in enumerate(found) if value is not None)
        body.append(f'<polyline fill="none" stroke="{COLOURS[n]}" stroke-width="2" points="{points}"/>')
    if len(series) > 1:
        for n, (name, _) in enumerate(series[: len(COLOURS)]):
            body.append(f'<text x="{left + n * 150}" y="{height + 10}" fill="{COLOURS[n]}">{text_of(name)}</text>')
        height += 18
    return framed(height, "".join(body), "lines over time")
