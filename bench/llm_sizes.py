"""llm_sizes.py: what the models of llm.py are, for each of its sides."""
import collections
import re

SIZES = {   # layers, width, heads, heads of keys, width of the hidden layer, words, places of the cache
    "tiny": (2, 128, 4, 2, 256, 512, 64), "450M": (16, 1536, 12, 4, 4096, 32000, 1024), "1.5B": (28, 2048, 16, 4, 5632, 32000, 1024),
    "8B": (32, 4096, 32, 8, 14336, 128256, 1024)}
PROMPT = 512
Scheme = collections.namedtuple("Scheme", "bits group packed")  # group: 0: a scale a column; packed: two numbers in a byte


def scheme(kind):
    """How a kind of weights is quantized; None: it is not."""
    found = re.fullmatch(r"(int|packed)([48])(?:g(\d+))?", kind)
    return Scheme(int(found[2]), int(found[3] or 0), found[1] == "packed") if found else None


def matrices(sizes):
    """The shapes of a layer's matrices."""
    _, width, heads, shared, hidden, *_ = sizes
    head = width // heads
    return {"q": (width, width), "k": (width, shared * head), "v": (width, shared * head), "o": (width, width),
            "gate": (width, hidden), "up": (width, hidden), "down": (hidden, width)}


def of_call(sizes, what, batch):
    """How many tokens a call has, the first one's place; width, heads of keys, words; the shape of a cache."""
    _, width, heads, shared, _, words, length = sizes
    count = 1 if what == "decode" else min(PROMPT, length)
    return count, length - count, width, shared, words, (batch, length, shared, width // heads)


def memory(name):
    """Bytes that a side needs for a row: weights as they are stored (a number of 4 bits that is not packed has a byte), the table of
    words, caches; and a matrix of f32, which is what weights are made of."""
    model, _, kind = name.rsplit(" ", 2)
    size, batch = model.split(" b")
    layers, width, _, shared, _, words, length = sizes = SIZES[size]
    quantized, number = scheme(kind), 4 if kind == "f32" else 2
    weight = number if not quantized else (0.5 if quantized.packed else 1) + (number / quantized.group if quantized.group else 0)
    shapes = list(matrices(sizes).values())
    numbers = layers * sum(k * n for k, n in shapes) + width * words
    cache = 2 * layers * int(batch) * length * shared * (width // sizes[2])
    return int(numbers * weight + (words * width + cache) * number + 8 * max(width * words, *(k * n for k, n in shapes)))


class Normals:
    """Arrays of normal numbers, cut out of few: making each number would take minutes for the largest models."""

    def __init__(self, numpy, count=1 << 22):
        self.numpy, self.begin = numpy, 0
        self.numbers = numpy.random.default_rng(0).standard_normal(count, "float32")

    def make(self, *shape):
        count = self.numpy.prod(shape)
        self.begin += 7919
        return self.numpy.resize(self.numpy.roll(self.numbers, self.begin), int(count)).reshape(shape)
