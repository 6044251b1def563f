#!/usr/bin/env python3
"""release_test.py: tests what release.py says before it builds, and the archive that it writes."""
import pathlib
import tarfile
import tempfile

import release

GOOD = "# Changes\n## 1.2.0 (2026-11-29)\n### Added\n- a\n### Fixed\n- b\n\n## 1.1.0 (2026-01-01)\n### Added\n- c\n"
MAKEFILE = "CC = gcc\nVERSION     = 1.2.0\n"


def check(problems, *words):
    assert len(problems) == len(words), problems
    for problem, word in zip(problems, words):
        assert word in problem, (problem, word)


check(release.problems_of("1.2.0", GOOD, MAKEFILE, ""))
check(release.problems_of("1.3.0", GOOD, MAKEFILE, ""), "VERSION = 1.2.0", "no section '## 1.3.0")
check(release.problems_of("1.2", GOOD, MAKEFILE, " M x.c\n"), "version 1.2; allowed", "VERSION = 1.2.0", "M x.c", "no section")
check(release.problems_of("1.2.0", GOOD.replace("2026-11-29", "unreleased"), MAKEFILE, ""), "(unreleased) is no date")
check(release.problems_of("1.2.0", GOOD.replace("Fixed", "Mended"), MAKEFILE, ""), "'### Mended'; allowed: Added, Fixed, Changed")
check(release.problems_of("1.2.0", GOOD.replace("### Added\n- a", "- a"), MAKEFILE, ""), "outside of Added")
assert release.notes_of("1.2.0", GOOD)[0] == "### Added\n- a\n### Fixed\n- b\n"
with tempfile.TemporaryDirectory() as folder:
    release.OUT = pathlib.Path(folder)
    first = release.write_sdist("1.2.0", "text").read_bytes()
    assert release.write_sdist("1.2.0", "text").read_bytes() == first
    with tarfile.open(pathlib.Path(folder) / "gantry_pjrt-1.2.0.tar.gz") as archive:
        names = archive.getnames()
    for name in ("PKG-INFO", "pyproject.toml", "Makefile", "python/sdist_backend.py", "plugin/loader.c"):
        assert f"gantry_pjrt-1.2.0/{name}" in names, name
