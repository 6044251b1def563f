#!/usr/bin/env python3
"""Draws the figures of bench.py's JSON, then the slowest rows of tail.py's: one bar per row, the ratio of CPU times on a
logarithmic axis. Each part has the machine, versions and date of its run.

    chart.py BENCH.json [TAIL.json] CHART.svg

The dark bar is JAX's own CPU divided by Gantry; the light bar is the same with a tuned allocator. More than 1: Gantry
needs less CPU time."""
import json
import math
import sys
from xml.sax.saxutils import escape

LEFT, WIDTH, ROW, TOP, BOTTOM, GAP = 250, 560, 17, 64, 34, 22
PAGE = LEFT + WIDTH + 60
SLOWEST, WIDEST = 10, 118  # rows of the long tail, characters of a name
LOW, HIGH = 1 / 4, 64  # ends of the axis
# Shapes have classes, so that the picture follows the reader's light or dark mode; the outline of a text hides lines behind it.
STYLE = """<style>
svg{fill:#202020}.page{fill:#fff}.xla{fill:#2563a8}.tuned{fill:#9cc3e6}.below{fill:#b3452f}.grid{stroke:#d8d8d8}.one{stroke:#404040}
text{paint-order:stroke;stroke:#fff;stroke-width:3px}.break{stroke:#fff;stroke-width:2.5px}
@media(prefers-color-scheme:dark){svg{fill:#e6ebf2}.page{fill:#12161c}.xla{fill:#4c8dd6}.tuned{fill:#2f5480}.below{fill:#e0705a}
.grid{stroke:#2c3541}.one{stroke:#b8c4d2}text{stroke:#12161c}.break{stroke:#12161c}}
</style>"""


def place(ratio):
    """The x coordinate of a ratio."""
    share = math.log(min(max(ratio, LOW), HIGH) / LOW) / math.log(HIGH / LOW)
    return LEFT + WIDTH * share


def geomean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def ratios(row, sides=("xla", "tuned")):
    """Those of the peers; None for a row that did not run on all sides."""
    if any("cpu" not in row[side] for side in ("gantry", *sides)):
        return None
    return {side: row[side]["cpu"] / row["gantry"]["cpu"] for side in sides}


def text(x, y, words, size=11, anchor="start", weight="normal"):
    return (f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}" font-weight="{weight}">'
            f"{escape(words)}</text>")


def bar(ratio, y, height, kind):
    """From 1 to the ratio; where that is beyond the axis, with a break before the end."""
    one, end = place(1), place(ratio)
    left, right = min(one, end), max(one, end)
    shape = f'<rect class="{kind}" x="{left:.1f}" y="{y:.1f}" width="{max(right - left, 1):.1f}" height="{height}"/>'
    if LOW <= ratio <= HIGH:
        return shape
    middle = end + (12 if ratio < LOW else -12)
    return shape + "".join(f'<line class="break" x1="{middle + by - 2:.1f}" y1="{y + height + 1:.1f}" x2="{middle + by + 2:.1f}" '
                           f'y2="{y - 1:.1f}"/>' for by in (0, 5))


def beside(found, y, digits):
    """The first ratio as a number, right of all bars of its row."""
    return text(place(max(1, *found)) + 5, y, f"{found[0]:.{digits}f}", 10)


def axis(top, bottom):
    lines = []
    tick = LOW
    while tick <= HIGH:
        x = place(tick)
        kind = "one" if tick == 1 else "grid"
        lines.append(f'<line class="{kind}" x1="{x:.1f}" y1="{top - 6}" x2="{x:.1f}" y2="{bottom + 4}"/>')
        lines.append(text(x, top - 12, f"{tick:g}" if tick >= 1 else f"1/{1 / tick:g}", 10, "middle"))
        tick *= 2
    return lines


def about(data):
    machine = data["machine"]
    load = f", load {machine['load']:.0f}" if machine.get("load", 0) >= 2 else ""
    return (f"{machine['cpu']}, {machine['cpus']} cores{load}, Linux {machine['linux']}, JAX {machine['jax']}, "
            f"{machine.get('date', 'date unknown')}")


def draw_models(data, top):
    """The rows of bench.py, below `top`; returns the shapes and where they end."""
    rows = [(row["name"], found) for row in data["rows"] if (found := ratios(row))]
    means = {side: geomean([found[side] for _, found in rows]) for side in ("xla", "tuned")}
    end = top + TOP + ROW * len(rows)
    parts = [text(12, top + 20, f"CPU time, JAX's own CPU / Gantry: geometric mean {means['xla']:.1f} "
                                f"({means['tuned']:.1f} with a tuned allocator, light bars)", 13, weight="bold"),
             *axis(top + TOP, end)]
    for number, (name, found) in enumerate(rows):
        y = top + TOP + ROW * number
        parts += [text(LEFT - 8, y + 12, name, anchor="end"),
                  bar(found["xla"], y + 3, 7, "xla" if found["xla"] >= 1 else "below"), bar(found["tuned"], y + 10, 4, "tuned"),
                  beside((found["xla"], found["tuned"]), y + 11, 1)]
    return parts + [text(12, end + BOTTOM - 12, about(data), 10)], end + BOTTOM


def shortened(name):
    return name if len(name) <= WIDEST else name[:WIDEST - 1] + "…"


def draw_tail(data, top):
    """The slowest rows of tail.py, each with its program above its bar; returns the shapes and where they end."""
    rows = [(row["name"], found["xla"]) for row in data["rows"] if (found := ratios(row, ("xla",)))]
    mean, below = geomean([ratio for _, ratio in rows]), sum(ratio < 1 for _, ratio in rows)
    rows = sorted(rows, key=lambda row: row[1])[:SLOWEST]
    end = top + TOP + 2 * ROW * len(rows)
    parts = [text(12, top + 20, f"The slowest {len(rows)} of the long tail's {len(data['rows'])} snippets (geometric mean {mean:.1f}, "
                                f"{below} below 1)", 13, weight="bold"), *axis(top + TOP, end)]
    for number, (name, ratio) in enumerate(rows):
        y = top + TOP + 2 * ROW * number
        parts += [text(12, y + 12, shortened(name), 10),
                  bar(ratio, y + ROW + 2, 7, "xla" if ratio >= 1 else "below"), beside((ratio,), y + ROW + 9, 2)]
    return parts + [text(12, end + BOTTOM - 12, about(data), 10)], end + BOTTOM


def draw(models, tail):
    parts, height = draw_models(models, 0)
    if tail:
        more, height = draw_tail(tail, height + GAP)
        parts += more
    head = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {PAGE} {height}" width="{PAGE}" height="{height}" '
            'font-family="sans-serif">', STYLE, '<rect class="page" width="100%" height="100%"/>']
    return "\n".join([*head, *parts, "</svg>"]) + "\n"


def read(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    with open(sys.argv[-1], "w", encoding="utf-8") as file:
        file.write(draw(read(sys.argv[1]), read(sys.argv[2]) if len(sys.argv) == 4 else None))


if __name__ == "__main__":
    main()
