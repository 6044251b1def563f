"""sharded.py: CLASSES of programs for several devices: parallel training and single operations under shardings."""
import functools

import jax
import jax.numpy as jnp
from jax.sharding import PartitionSpec as P

import grammar
import models
from draw import Program, array, replicated, spec_tree


def axes_of(draw):
    return draw.of({"x": 4}, {"x": 8}, {"x": 2, "y": 2}, {"x": 2, "y": 4}, {"x": 4, "y": 2})


def largest_sharded(axis, count, shape):
    """The last of the largest dimensions that the axis divides."""
    wide = [d for d, size in enumerate(shape) if size % count == 0 and size >= 128]
    if not wide or len(shape) < 2:
        return P()
    at = max(wide, key=lambda d: shape[d])
    return P(*(axis if d == at else None for d in range(len(shape))))


FROM_END = {"q": 2, "k": 2, "v": 2, "o": 3, "up": 1, "gate": 1, "down": 2}


def tensor_specs(parameters, axis, count):
    """Megatron's: heads and hidden elements divided among the devices of the axis."""
    def spec(path, leaf):
        name = next((step.key for step in reversed(path) if hasattr(step, "key")), "")
        at = len(leaf.shape) - FROM_END.get(name, 0)
        if name not in FROM_END or leaf.shape[at] % count:
            return P()
        return P(*(axis if d == at else None for d in range(len(leaf.shape))))
    return jax.tree_util.tree_map_with_path(spec, parameters)


def parallel_training(draw):
    c, dtype, axes = grammar.configuration(draw, 2048), draw.dtype(), axes_of(draw)
    names, kind = tuple(axes), draw.of("dp", "fsdp", "tp")
    parameters = models.language_model(c, dtype)
    batch = max(axes.values()) * draw.of(1, 2) * (2 if len(axes) > 1 else 1)
    tokens = array((batch * 2, draw.size(256, 2048, 128)), jnp.int32)

    def loss(parameters, tokens, labels):
        return models.cross_entropy(models.logits(parameters, tokens, c), labels)
    if kind == "dp":
        specs, data = replicated(parameters), P(names)
    elif kind == "fsdp":
        specs, data = spec_tree(parameters, functools.partial(largest_sharded, names[0], axes[names[0]])), P(names)
    else:
        specs, data = tensor_specs(parameters, names[-1], axes[names[-1]]), P(names[0] if len(names) > 1 else None)
    if draw.chance(0.5):
        return Program(models.sgd_step(loss), [parameters, tokens, tokens], [specs, data, data], axes, (0,))
    state = models.wide(parameters)
    return Program(models.adam_step(loss), [parameters, state, state, tokens, tokens], [specs, specs, specs, data, data], axes, (0, 1, 2))


def parallel_mlp(draw):
    dtype, axes = draw.dtype(), axes_of(draw)
    names = tuple(axes)
    width, hidden, layers, batch = draw.size(512, 4096, 512), draw.size(512, 8192, 512), draw.integer(1, 4), draw.size(1024, 32768, 256)
    weights = [(array((width, hidden), dtype), array((hidden, width), dtype))] * layers
    activation = models.ACTIVATIONS[draw.of(*models.ACTIVATIONS)]

    def predict(weights, x):
        for up, down in weights:
            x = x + activation(x @ up) @ down
        return x
    last = names[-1]
    pair = draw.of((P(None, last), P(last, None)), (P(last, None), P(last, None)), (P(None, last), P(None, last)), (P(), P()))
    data = draw.of(P(names[0]), P(), P(names[0], last) if len(names) > 1 else P(None, last))
    x = array((batch, width), dtype)
    if draw.chance(0.5):
        return Program(predict, [weights, x], [[pair] * layers, data], axes)
    step = models.sgd_step(lambda weights, x: jnp.mean(predict(weights, x).astype(jnp.float32) ** 2))
    return Program(step, [weights, x], [[pair] * layers, data], axes, (0,))


def random_spec(draw, axes, rank):
    places = [None] * rank
    for name in axes:
        at = draw.integer(-1, rank - 1)
        if at >= 0 and places[at] is None:
            places[at] = name
    return P(*places)


def sharded_operation(draw):
    dtype, axes = draw.dtype(), axes_of(draw)
    m, n, k = (draw.of(1024, 2048, 4096, 8192) for _ in range(3))
    left, right = random_spec(draw, axes, 2), random_spec(draw, axes, 2)
    functions = {"product": (lambda x, y: x @ y, [(m, k), (k, n)]), "sum": (lambda x: x.sum(draw_axis), [(m, k)]),
                 "softmax": (lambda x: jax.nn.softmax(x, -1), [(m, k)]), "transpose": (lambda x: x.T * 2, [(m, k)]),
                 "norm": (lambda x: (x - x.mean(-1, keepdims=True)) / (x.std(-1, keepdims=True) + 1), [(m, k)]),
                 "add": (lambda x, y: x + y, [(m, k), (m, k)]), "concatenate": (lambda x, y: jnp.concatenate([x, y]), [(m, k), (m, k)]),
                 "rows": (lambda t, x: t[jnp.arange(256) * 2] + x[:1, : t.shape[1]], [(m, k), (m, k)])}
    draw_axis = draw.of(0, 1)
    function, shapes = functions[draw.of(*functions)]
    return Program(function, [array(shape, dtype) for shape in shapes], [left, right][:len(shapes)], axes)


def mapped(draw):
    axes, dtype = draw.of({"x": 4}, {"x": 8}), draw.dtype()
    count = axes["x"]
    rows, columns = draw.of(256, 1024, 4096), draw.of(256, 1024, 2048)
    ring = [(i, (i + 1) % count) for i in range(count)]
    functions = {"psum": lambda x: jax.lax.psum(x, "x"), "all_gather": lambda x: jax.lax.all_gather(x, "x", tiled=True),
                 "psum_scatter": lambda x: jax.lax.psum_scatter(x, "x", tiled=True),
                 "all_to_all": lambda x: jax.lax.all_to_all(x, "x", 1, 0, tiled=True), "permute": lambda x: x + jax.lax.ppermute(x, "x", ring), "maximum": lambda x: jax.lax.pmax(x, "x")}
    function = functions[draw.of(*functions)]

    def build(mesh):
        return jax.shard_map(function, mesh=mesh, in_specs=P("x"), out_specs=P("x"), check_vma=False)
    return Program(build, [array((rows * count, columns), dtype)], [P("x")], axes, needs_mesh=True)


CLASSES = {"parallel_training": parallel_training, "parallel_mlp": parallel_mlp, "sharded_operation": sharded_operation, "mapped": mapped}
