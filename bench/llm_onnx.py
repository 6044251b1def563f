"""llm_onnx.py: the language model of llm_jax.py in ONNX Runtime, as a side of llm.py, of the operators that its own builder of
language models uses: GroupQueryAttention on a cache updated in place, MatMulNBits. Activations are f32, as its CPU kernels need."""
import math
import os
import sys
import tempfile

import whole_models_side as side

side.bind(sys.argv[2])
import numpy
import onnx
import onnxruntime

import llm_sizes

MICROSOFT = "com.microsoft"
ALIGNED = 4096


# ---- the graph ----------------------------------------------------------------------------------------------------------
class Graph:
    """Nodes, and arrays in a file of their own, since a model of ONNX has at most 2 GB."""

    def __init__(self, path):
        self.nodes, self.arrays, self.file, self.name = [], [], open(path, "wb"), os.path.basename(path)

    def array(self, name, array):
        tensor = onnx.TensorProto(name=name, dims=array.shape, data_type=onnx.helper.np_dtype_to_tensor_dtype(array.dtype))
        tensor.data_location = onnx.TensorProto.EXTERNAL
        self.file.seek(-(-self.file.tell() // ALIGNED) * ALIGNED)
        for key, value in (("location", self.name), ("offset", self.file.tell()), ("length", array.nbytes)):
            tensor.external_data.add(key=key, value=str(value))
        array.tofile(self.file)
        self.arrays.append(tensor)
        return name

    def node(self, operator, inputs, outputs="", domain="", **attributes):
        outputs = [outputs or f"result{len(self.nodes)}"] if isinstance(outputs, str) else outputs
        self.nodes.append(onnx.helper.make_node(operator, inputs, outputs, domain=domain, **attributes))
        return outputs[0]


class Products:
    """Adds products with matrices of a kind, and counts their bytes."""

    def __init__(self, graph, kind):
        self.graph, self.scheme, self.normals, self.bytes = graph, llm_sizes.scheme(kind), llm_sizes.Normals(numpy), 0

    def array(self, name, array):
        self.bytes += array.nbytes
        return self.graph.array(name, array)

    def add(self, x, name, k, n):
        if not self.scheme:
            return self.graph.node("MatMul", [x, self.array(name, self.normals.make(k, n) / math.sqrt(k))])
        bits, group = self.scheme.bits, self.scheme.group
        shape = n, k // group, group * bits // 8
        numbers = numpy.resize(self.normals.numbers.view("uint8"), math.prod(shape)).reshape(shape)
        scales = numpy.full(shape[:2], 1 / 2 ** bits / math.sqrt(k), "float32")
        return self.graph.node("MatMulNBits", [x, self.array(name, numbers), self.array(name + ".scale", scales)], domain=MICROSOFT,
                               K=k, N=n, bits=bits, block_size=group, accuracy_level=4)


def add_layer(graph, products, x, i, sizes):
    _, width, heads, shared, hidden, *_ = sizes
    shapes = llm_sizes.matrices(sizes)
    product = lambda y, name: products.add(y, f"{name}.{i}", *shapes[name])
    normalized = lambda y: graph.node("SimplifiedLayerNormalization", [y, "ones"], axis=-1, epsilon=1e-5)
    y = normalized(x)
    mixed = graph.node("GroupQueryAttention", [*(product(y, name) for name in "qkv"), f"keys{i}", f"values{i}", "lengths", "length",
                                               "cosines", "sines"], [f"mixed{i}", f"new_keys{i}", f"new_values{i}"], MICROSOFT,
                       num_heads=heads, kv_num_heads=shared, do_rotary=1)
    x = graph.node("Add", [x, product(mixed, "o")])
    y = normalized(x)
    gate = product(y, "gate")
    gate = graph.node("Mul", [gate, graph.node("Sigmoid", [gate])])
    return graph.node("Add", [x, product(graph.node("Mul", [gate, product(y, "up")]), "down")])


def write_model(folder, kind, sizes):
    """Returns the bytes of the matrices of products."""
    layers, width, heads, shared, _, words, length = sizes
    graph, head = Graph(os.path.join(folder, "arrays")), width // heads
    products = Products(graph, kind)
    angle = numpy.arange(length)[:, None] / 10000 ** (numpy.arange(head // 2) / (head // 2))
    for name, array in (("ones", numpy.ones(width)), ("cosines", numpy.cos(angle)), ("sines", numpy.sin(angle)),
                        ("words", products.normals.make(words, width) / 8)):
        graph.array(name, array.astype("float32"))
    graph.array("last", numpy.array(-1))
    x = graph.node("Gather", ["words", "tokens"])
    for i in range(layers):
        x = add_layer(graph, products, x, i, sizes)
    x = graph.node("SimplifiedLayerNormalization", [graph.node("Gather", [x, "last"], axis=1), "ones"], axis=-1, epsilon=1e-5)
    graph.node("ArgMax", [products.add(x, "out", width, words)], "next", axis=-1, keepdims=0)
    save(folder, graph, layers, [None, shared, None, head])
    return products.bytes


def save(folder, graph, layers, cache):
    value = onnx.helper.make_tensor_value_info
    number, integer, long = onnx.TensorProto.FLOAT, onnx.TensorProto.INT32, onnx.TensorProto.INT64
    caches = [f"{name}{i}" for i in range(layers) for name in ("keys", "values")]
    inputs = [value("tokens", long, [None, None]), value("lengths", integer, [None]), value("length", integer, [])]
    made = onnx.helper.make_graph(
        graph.nodes, "model", inputs + [value(name, number, cache) for name in caches],
        [value("next", long, [None])] + [value("new_" + name, number, cache) for name in caches], graph.arrays)
    graph.file.close()
    versions = [onnx.helper.make_opsetid("", 17), onnx.helper.make_opsetid(MICROSOFT, 1)]
    onnx.save(onnx.helper.make_model(made, opset_imports=versions, ir_version=9), os.path.join(folder, "model.onnx"))


# ---- the model ----------------------------------------------------------------------------------------------------------
def bind(session, layers, tokens, place, cache):
    """Binds arguments and results; each cache is both."""
    batch, count = tokens.shape
    binding, value = session.io_binding(), onnxruntime.OrtValue.ortvalue_from_numpy
    binding.bind_ortvalue_input("tokens", value(tokens))
    binding.bind_ortvalue_input("lengths", value(numpy.full(batch, place + count - 1, "int32")))
    binding.bind_ortvalue_input("length", value(numpy.array(place + count, "int32")))
    for name in (f"{name}{i}" for i in range(layers) for name in ("keys", "values")):
        array = value(numpy.zeros(cache, "float32"))
        binding.bind_ortvalue_input(name, array)
        binding.bind_ortvalue_output("new_" + name, array)
    binding.bind_output("next")
    return binding


def make(model, what, kind):
    scheme = llm_sizes.scheme(kind)
    if kind == "bf16" or scheme and (not scheme.group or scheme.bits == 4 and not scheme.packed):
        raise ValueError("not a row of this side")
    size, batch = model.split(" b")
    sizes = llm_sizes.SIZES[size]
    count, place, *_, (batch, length, shared, head) = llm_sizes.of_call(sizes, what, int(batch))
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads, options.log_severity_level = len(sys.argv[2].split(",")), 3
    with tempfile.TemporaryDirectory() as folder:
        stored = write_model(folder, kind, sizes)
        session = onnxruntime.InferenceSession(os.path.join(folder, "model.onnx"), options, ["CPUExecutionProvider"])
    binding = bind(session, sizes[0], numpy.ones((batch, count), "int64"), place, (batch, shared, length, head))

    def call():
        session.run_with_iobinding(binding)
    call.bytes = stored + 2 * sizes[0] * batch * length * shared * head * 4
    return call


if __name__ == "__main__":
    side.serve(make)
