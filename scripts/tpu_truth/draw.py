"""draw.py: choices by seed, and what a drawn program is. The same seed gives the same program with the same version of Python's
`random` and of JAX."""
import dataclasses
import random
from typing import Any, Callable

import jax
import jax.numpy as jnp
from jax.sharding import PartitionSpec as P

GENERATIONS = ("v5e", "v5p", "v6e", "v4", "tpu7x")


@dataclasses.dataclass
class Program:
    """function(*arguments), jitted. arguments: trees of ShapeDtypeStruct; specs: for each argument a PartitionSpec, or a tree
    of them; axes: sizes of the mesh's axes, {} for one device. donate: numbers of arguments."""
    function: Callable
    arguments: list
    specs: list | None = None
    axes: dict = dataclasses.field(default_factory=dict)
    donate: tuple = ()
    needs_mesh: bool = False  # function(mesh) gives the function


class Draw:
    """Random choices; every one depends on the seed alone."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def of(self, *choices):
        return self.random.choice(choices)

    def chance(self, share):
        return self.random.random() < share

    def integer(self, low, high):
        return self.random.randint(low, high)

    def size(self, low, high, unit=1):
        """Most often a power of two, else any multiple of the unit; both about uniform in the logarithm."""
        value = low * (high / low) ** self.random.random()
        if self.chance(0.6):
            power = 1 << (int(value).bit_length() - 1)
            return max(min(power, high), unit)
        return max(unit, int(value) // unit * unit)

    def dtype(self):
        return jnp.bfloat16 if self.chance(0.6) else jnp.float32


def array(shape: Any, dtype=jnp.float32):
    return jax.ShapeDtypeStruct(tuple(shape), dtype)


def keys():
    return jax.ShapeDtypeStruct((2,), jnp.uint32)


def spec_tree(tree, choose):
    """A PartitionSpec for each leaf, by its shape."""
    return jax.tree.map(lambda leaf: choose(leaf.shape), tree)


def replicated(tree):
    return spec_tree(tree, lambda shape: P())
