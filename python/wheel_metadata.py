"""The wheel's METADATA, in version 2.4 of Python's core metadata, and its entry points."""
import re

ENTRY_POINTS = """\
[jax_plugins]
gantry = jax_plugins.gantry

[torch_xla.plugins]
gantry = gantry_pjrt.torch:GantryPlugin
gantrytpu = gantry_pjrt.torch:GantryTpuPlugin

[console_scripts]
gantry = gantry_pjrt:command
"""
FIELDS = """\
Metadata-Version: 2.4
Name: gantry-pjrt
Version: {version}
Summary: A PJRT plugin in C: StableHLO programs on the host's cores, or on a modeled TPU
Author: Gantry developers
Keywords: jax,pytorch,xla,pjrt,stablehlo,compiler
Classifier: Development Status :: 4 - Beta
Classifier: Intended Audience :: Developers
Classifier: Intended Audience :: Science/Research
Classifier: Operating System :: POSIX :: Linux
Classifier: Programming Language :: C
Classifier: Programming Language :: Python :: 3
Classifier: Topic :: Scientific/Engineering :: Artificial Intelligence
Classifier: Topic :: Software Development :: Compilers
License-Expression: {expression}
{license_files}{urls}Requires-Python: >=3.9
Provides-Extra: jax
Requires-Dist: jax>=0.6; extra == "jax"
Provides-Extra: torch
Requires-Dist: torch_xla>=2.6; extra == "torch"
Description-Content-Type: text/markdown

{readme}"""


def expression(components):
    """The SPDX expression of all components: rows of COMPONENTS.tsv, whose second column joins licenses by AND."""
    return " AND ".join(sorted({part for row in components for part in row.split("\t")[1].split(" AND ")}))


def absolute_links(readme, url):
    """A page elsewhere has no files beside it: links to the project's files lead to `url`, or are text where it has none."""
    def link(match):
        bang, text, target = match.groups()
        if re.match("[a-z]+:|#", target):
            return match.group(0)
        return f"{bang}[{text}]({url}/{target})" if url else text
    return re.sub(r"(!?)\[([^\]]*)\]\(([^)]+)\)", link, readme)


def metadata(version, readme="", components=("Gantry\tApache-2.0\t",), license_files=(), url=""):
    """url: where the project's files can be read, "" if nowhere public."""
    pages = (("Source", ""), ("Documentation", "/ARCHITECTURE.md"), ("Security", "/SECURITY.md")) if url else ()
    urls = [f"Project-URL: {label}, {url}{page}\n" for label, page in pages]
    urls.append("Project-URL: PJRT, https://openxla.org/xla/pjrt\n")
    return FIELDS.format(version=version, expression=expression(components), readme=absolute_links(readme, url),
                         license_files="".join(f"License-File: {name}\n" for name in license_files), urls="".join(urls))
