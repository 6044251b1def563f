#!/usr/bin/env python3
"""Draws docs/several_hosts.svg: which algorithm for an all-reduce is the fastest by base/loggp.h, for 2 to 4,096 hosts and 64 B to 1 GB, on
links of 25 Gbit/s and 10 us. Light or dark as the reader's system."""
import os
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "scripts"))
import loggp

HOSTS, SIZES, CELL_X, CELL_Y = range(1, 13), range(6, 31), 44, 15  # powers of two
LEFT, TOP, LEGEND = 70, 60, 270
STYLE = """<style>
svg{background:#fff;fill:#202020;font:12px sans-serif} .direct{fill:#4477aa} .parts{fill:#66ccee} .ring{fill:#228833} .doubling{fill:#ccbb44}
.halving{fill:#ee6677} .cell{stroke:#fff;stroke-width:1}
@media(prefers-color-scheme:dark){svg{background:#12161c;fill:#dde3ea} .cell{stroke:#12161c}}
</style>"""
NAMES = {"direct": "each to each, all bytes", "parts": "each to each, parts", "doubling": "recursive doubling",
         "halving": "halving and doubling (Rabenseifner)", "ring": "ring (not used)"}


def text(x, y, words, anchor="middle"):
    return f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}">{words}</text>'


def size_name(power):
    unit = power // 10
    return f"{1 << power % 10} {('B', 'KB', 'MB', 'GB')[unit]}"


def axes(left):
    out = [text(left + (i + 0.5) * CELL_X, TOP + len(SIZES) * CELL_Y + 16, 1 << power) for i, power in enumerate(HOSTS)]
    out += [text(left - 6, TOP + (len(SIZES) - i - 0.5) * CELL_Y + 4, size_name(power), "end") for i, power in enumerate(SIZES) if i % 2 == 0]
    out.append(text(left + len(HOSTS) * CELL_X / 2, TOP + len(SIZES) * CELL_Y + 34, "hosts"))
    return out


def cells(left, draw):
    for i, hosts in enumerate(HOSTS):
        for j, size in enumerate(SIZES):
            yield draw(left + i * CELL_X, TOP + (len(SIZES) - j - 1) * CELL_Y, 1 << hosts, 1 << size)


def main():
    link = loggp.link_of(25e9 / 8, 10e-6)
    right = LEFT + len(HOSTS) * CELL_X

    def fastest(x, y, hosts, size):
        times = {way: loggp.all_reduce(link, way, hosts, size) for way in loggp.WAYS}
        return f'<rect x="{x}" y="{y}" width="{CELL_X}" height="{CELL_Y}" class="cell {min(times, key=times.get)}"/>'

    width, height = right + LEGEND, TOP + len(SIZES) * CELL_Y + 50
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}">', STYLE,
           text(LEFT, 20, "The fastest all-reduce by bytes and hosts, on links of 25 Gbit/s and 10 us", "start")]
    out += axes(LEFT) + list(cells(LEFT, fastest))
    for i, way in enumerate(loggp.WAYS):
        y = TOP + 24 * i
        out += [f'<rect x="{right + 20}" y="{y}" width="12" height="12" class="{way}"/>', text(right + 38, y + 10, NAMES[way], "start")]
    with open(os.path.join(ROOT, "docs", "several_hosts.svg"), "w", encoding="utf-8") as file:
        file.write("\n".join(out) + "\n</svg>\n")


if __name__ == "__main__":
    main()
