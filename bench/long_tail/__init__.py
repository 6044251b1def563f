"""Snippets for tail.py: what users write beyond models and large arrays. LONG_TAIL maps a name to a function without
arguments, called only in the measuring process, that returns (function to compile, its arguments).

What a snippet is, the package snippets says. operations.py combines operations, shapes, types and compositions
systematically; other snippets are written by hand: models.py (learning), science.py (methods, images, sound) and library.py
(functions of the library, more sizes and types). blocks.py and numerics.py were written whole before any of their rows was
measured: they show how far what was tuned on the others carries. Later, when these had been tuned on as well, training.py,
mechanics.py and functions.py were written in the same way. The rows of the package blind came last. Sizes are odd, and small
enough for all rows to be measured within four hours."""
from long_tail import blocks, functions, library, mechanics, models, numerics, operations, science, training
from snippets import blind_rows, snippet

MODULES = operations, models, science, library, blocks, numerics, training, mechanics, functions


def all_names():
    parts = [part for module in MODULES for part in module.PARTS] + [blind_rows]
    return list(dict.fromkeys(name for part in parts for name in part()))


LONG_TAIL = {name: snippet(name) for name in all_names()}
