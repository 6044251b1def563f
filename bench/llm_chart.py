#!/usr/bin/env python3
"""Draws the figures of llm.py's JSON: a group of bars for each row, the wall time of a peer divided by Gantry's.

    llm_chart.py LLM.json CHART.svg

More than 1: Gantry is faster. The number beside a group is that of the fastest peer. A peer without figures for a row has no bar."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import chart

PEERS = {"xla": "XLA:CPU", "torch": "PyTorch", "compiled": "torch.compile", "onnx": "ONNX Runtime", "llama": "llama.cpp"}
BAR, SPACE, LABEL = 5, 5, 100
STYLE = chart.STYLE.replace("</style>", """.torch{fill:#d9a441}.compiled{fill:#8a6fb3}.onnx{fill:#4b9a6e}.llama{fill:#c2587b}
</style>""")


def ratios(row):
    """Peer -> its wall time by Gantry's, of those that have both."""
    ours = row.get("gantry", {}).get("wall")
    return {peer: row[peer]["wall"] / ours for peer in PEERS if ours and "wall" in row.get(peer, {})}


def geomeans(rows):
    """Peer -> the geometric mean of its rows."""
    return {peer: chart.geomean([found[peer] for _, found in rows if peer in found])
            for peer in PEERS if any(peer in found for _, found in rows)}


def group(name, found, y):
    """A row's name, bars, and the ratio of the fastest peer."""
    height = (BAR + 1) * len(found)
    parts = [chart.text(chart.LEFT - 8, y + height / 2 + 4, name, anchor="end")]
    parts += [chart.bar(ratio, y + (BAR + 1) * i, BAR, peer) for i, (peer, ratio) in enumerate(found.items())]
    peer = min(found, key=found.get)
    beside = f"{found[peer]:.2f} {PEERS[peer]}"
    x = min(max(map(chart.place, [1, *found.values()])) + 5, chart.PAGE - LABEL)
    return parts + [chart.text(x, y + height / 2 + 4, beside, 10)], y + height + SPACE


def legend(means, y):
    parts = []
    for i, (peer, mean) in enumerate(means.items()):
        x = 12 + i * (chart.PAGE - 24) / len(PEERS)
        parts += [f'<rect class="{peer}" x="{x:.1f}" y="{y}" width="10" height="10"/>',
                  chart.text(x + 15, y + 9, f"{PEERS[peer]}: mean {mean:.1f}", 11)]
    return parts


def draw(data):
    rows = [(row["name"], found) for row in data["rows"] if (found := ratios(row))]
    y, groups = chart.TOP + 22, []
    for name, found in rows:
        parts, y = group(name, found, y)
        groups += parts
    height = y + chart.BOTTOM
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {chart.PAGE} {height}" width="{chart.PAGE}" height="{height}" '
        'font-family="sans-serif">', STYLE, '<rect class="page" width="100%" height="100%"/>',
        chart.text(12, 20, "Language models, wall time of a call: others / Gantry", 13, weight="bold"),
        *legend(geomeans(rows), 30), *chart.axis(chart.TOP + 22, y), *groups,
        chart.text(12, y + chart.BOTTOM - 12, chart.about(data), 10), "</svg>"]) + "\n"


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        file.write(draw(chart.read(sys.argv[1])))


if __name__ == "__main__":
    main()
