#!/usr/bin/env python3
"""Draws the figures of bench.py's JSON: one bar per row, the ratio of CPU times on a logarithmic axis.

    chart.py BENCH.json CHART.svg

The dark bar is JAX's own CPU divided by Gantry; the light bar is the same with a tuned allocator. More than 1: Gantry
needs less CPU time."""
import datetime
import json
import math
import sys
from xml.sax.saxutils import escape

LEFT, WIDTH, ROW, TOP, BOTTOM = 250, 560, 17, 64, 34
LOW, HIGH = 1 / 4, 64  # ends of the axis
COLORS = {"xla": "#2563a8", "tuned": "#9cc3e6", "below": "#b3452f"}


def place(ratio):
    """The x coordinate of a ratio."""
    share = math.log(min(max(ratio, LOW), HIGH) / LOW) / math.log(HIGH / LOW)
    return LEFT + WIDTH * share


def geomean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def ratios(row):
    """The ratios of the untuned and the tuned peer; None for a row that did not run on all sides."""
    if any("problem" in row[side] for side in ("gantry", "xla", "tuned")):
        return None
    return {side: row[side]["cpu"] / row["gantry"]["cpu"] for side in ("xla", "tuned")}


def text(x, y, words, size=11, anchor="start", weight="normal"):
    return (f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}" font-weight="{weight}">'
            f"{escape(words)}</text>")


def bar(ratio, y, height, color):
    one, end = place(1), place(ratio)
    left, right = min(one, end), max(one, end)
    return f'<rect x="{left:.1f}" y="{y:.1f}" width="{max(right - left, 1):.1f}" height="{height}" fill="{color}"/>'


def axis(height):
    lines = []
    tick = LOW
    while tick <= HIGH:
        x = place(tick)
        stroke = "#404040" if tick == 1 else "#d8d8d8"
        lines.append(f'<line x1="{x:.1f}" y1="{TOP - 6}" x2="{x:.1f}" y2="{height - BOTTOM + 4}" stroke="{stroke}"/>')
        lines.append(text(x, TOP - 12, f"{tick:g}" if tick >= 1 else f"1/{1 / tick:g}", 10, "middle"))
        tick *= 2
    return lines


def draw(data):
    rows = [(row["name"], found) for row in data["rows"] if (found := ratios(row))]
    height = TOP + ROW * len(rows) + BOTTOM
    means = {side: geomean([found[side] for _, found in rows]) for side in ("xla", "tuned")}
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{LEFT + WIDTH + 60}" height="{height}" '
             'font-family="sans-serif" fill="#202020">',
             f'<rect width="100%" height="100%" fill="#ffffff"/>',
             text(12, 20, f"CPU time, JAX's own CPU / Gantry: geometric mean {means['xla']:.1f} "
                          f"({means['tuned']:.1f} with a tuned allocator, light bars)", 13, weight="bold"),
             *axis(height)]
    for number, (name, found) in enumerate(rows):
        y = TOP + ROW * number
        parts += [text(LEFT - 8, y + 12, name, anchor="end"),
                  bar(found["xla"], y + 3, 7, COLORS["xla"] if found["xla"] >= 1 else COLORS["below"]),
                  bar(found["tuned"], y + 10, 4, COLORS["tuned"]),
                  text(place(max(found["xla"], 1)) + 4, y + 11, f"{found['xla']:.1f}", 10)]
    about = data["machine"]
    parts += [text(12, height - 12, f"{about['cpu']}, {data['cores']} cores, Linux {about['linux']}, JAX {about['jax']}, "
                                    f"{datetime.date.today().isoformat()}", 10), "</svg>"]
    return "\n".join(parts) + "\n"


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    with open(sys.argv[1], encoding="utf-8") as file:
        data = json.load(file)
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        file.write(draw(data))


main()
