"""llm_llama.py: the language model of llm_jax.py in llama.cpp, as a side of llm.py. Quantized weights are its types Q8_0 and Q4_0, whose
groups of 32 numbers have a scale of f16; other kinds of integers have no counterpart of equal size. Weights are random bits."""
import os
import sys
import tempfile

import whole_models_side as side

side.bind(sys.argv[2])
import gguf
import llama_cpp
import numpy

import llm_sizes

BLOCK = 32
TYPES = {"f32": "F32", "bf16": "BF16", "int8g32": "Q8_0", "packed4g32": "Q4_0"}
THREADS = len(sys.argv[2].split(","))


# ---- weights ------------------------------------------------------------------------------------------------------------
def numbers_of(kind, n, k, random):
    """A matrix of n rows of k numbers: a type, and bytes or numbers."""
    dtype = gguf.GGMLQuantizationType[TYPES[kind]]
    if kind == "f32":
        return dtype, numpy.resize(random, n * k).reshape(n, k)
    if kind == "bf16":
        return dtype, (numpy.resize(random, n * k).view("uint32") >> 16).astype("uint16").view("uint8").reshape(n, 2 * k)
    size = gguf.GGML_QUANT_SIZES[dtype][1]
    blocks = numpy.resize(random.view("uint8"), n * k // BLOCK * size).reshape(-1, size)
    blocks[:, :2] = numpy.frombuffer(numpy.float16(1 / 64 / k ** 0.5).tobytes(), "uint8")
    return dtype, blocks.reshape(n, -1)


def write_sizes(writer, sizes):
    layers, width, heads, shared, hidden, words, length = sizes
    writer.add_block_count(layers)
    writer.add_context_length(length)
    writer.add_embedding_length(width)
    writer.add_feed_forward_length(hidden)
    writer.add_head_count(heads)
    writer.add_head_count_kv(shared)
    writer.add_rope_dimension_count(width // heads)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_vocab_size(words)
    writer.add_tokenizer_model("no_vocab")


def write_model(path, kind, sizes):
    """Returns the bytes of the matrices of products."""
    layers, width, *_, words, _ = sizes
    writer, random = gguf.GGUFWriter(path, "llama"), numpy.random.default_rng(0).standard_normal(1 << 20, "float32") / width ** 0.5
    write_sizes(writer, sizes)

    def add(name, n, k):
        dtype, array = numbers_of(kind, n, k, random)
        writer.add_tensor(name, array, raw_dtype=dtype)
        return array.nbytes
    add("token_embd.weight", words, width)
    stored = add("output.weight", words, width)
    writer.add_tensor("output_norm.weight", numpy.ones(width, "float32"))
    names = {"q": "attn_q", "k": "attn_k", "v": "attn_v", "o": "attn_output", "gate": "ffn_gate", "up": "ffn_up", "down": "ffn_down"}
    for i in range(layers):
        for name, (k, n) in llm_sizes.matrices(sizes).items():
            stored += add(f"blk.{i}.{names[name]}.weight", n, k)
        for name in ("attn_norm", "ffn_norm"):
            writer.add_tensor(f"blk.{i}.{name}.weight", numpy.ones(width, "float32"))
    for step in (writer.write_header_to_file, writer.write_kv_data_to_file, writer.write_tensors_to_file, writer.close):
        step()
    return stored


# ---- the model ----------------------------------------------------------------------------------------------------------
class Model:
    """Owns llama.cpp's model and context."""

    def __init__(self, path, kind, batch, length):
        parameters = llama_cpp.llama_model_default_params()
        self.model = llama_cpp.llama_model_load_from_file(path.encode(), parameters)
        settings = llama_cpp.llama_context_default_params()
        settings.n_ctx, settings.n_seq_max, settings.kv_unified = batch * length, batch, False
        settings.n_batch, settings.n_ubatch = max(batch, llm_sizes.PROMPT), llm_sizes.PROMPT
        settings.n_threads = settings.n_threads_batch = THREADS
        settings.type_k = settings.type_v = int(gguf.GGMLQuantizationType.F32 if kind == "f32" else gguf.GGMLQuantizationType.F16)
        self.context = llama_cpp.llama_init_from_model(self.model, settings)
        if not self.model or not self.context:
            raise ValueError("llama.cpp did not make the model")
        self.memory = llama_cpp.llama_get_memory(self.context)

    def decode(self, tokens):
        """tokens: (sequence, place); the logits of each sequence's last place are computed."""
        batch = llama_cpp.llama_batch_init(len(tokens), 0, 1)
        last = {sequence: i for i, (sequence, _) in enumerate(tokens)}
        batch.n_tokens = len(tokens)
        for i, (sequence, place) in enumerate(tokens):
            batch.token[i], batch.pos[i], batch.n_seq_id[i], batch.seq_id[i][0] = 1, place, 1, sequence
            batch.logits[i] = last[sequence] == i
        problem = llama_cpp.llama_decode(self.context, batch)
        llama_cpp.llama_batch_free(batch)
        if problem:
            raise ValueError(f"llama_decode: {problem}")
        llama_cpp.llama_synchronize(self.context)

    def fill(self, batch, place):
        """Fills the caches of all sequences up to a place."""
        for begin in range(0, place, llm_sizes.PROMPT):
            self.decode([(0, i) for i in range(begin, min(begin + llm_sizes.PROMPT, place))])
        for sequence in range(1, batch):
            llama_cpp.llama_memory_seq_cp(self.memory, 0, sequence, -1, -1)

    def __del__(self):
        if getattr(self, "context", None):
            llama_cpp.llama_free(self.context)
        if getattr(self, "model", None):
            llama_cpp.llama_model_free(self.model)


def make(model, what, kind):
    if kind not in TYPES:
        raise ValueError("not a row of this side")
    size, batch = model.split(" b")
    sizes, batch = llm_sizes.SIZES[size], int(batch)
    count, place, *_, shape = llm_sizes.of_call(sizes, what, batch)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model.gguf")
        stored = write_model(path, kind, sizes)
        side_model = Model(path, kind, batch, sizes[-1])
    side_model.fill(batch, place)
    tokens = [(sequence, place + i) for sequence in range(batch) for i in range(count)]

    def call():
        for sequence in range(batch):
            llama_cpp.llama_memory_seq_rm(side_model.memory, sequence, place, -1)
        side_model.decode(tokens)
    call.bytes = stored + 2 * int(numpy.prod(shape)) * sizes[0] * (4 if kind == "f32" else 2)
    return call


if __name__ == "__main__":
    side.serve(make)
