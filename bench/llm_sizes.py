"""llm_sizes.py: what the models of llm.py are, for each of its sides."""
import collections
import re

SIZES = {   # layers, width, heads, heads of keys, width of the hidden layer, words, places of the cache
    "tiny": (2, 128, 4, 2, 256, 512, 64), "450M": (16, 1536, 12, 4, 4096, 32000, 1024), "1.5B": (28, 2048, 16, 4, 5632, 32000, 1024)}
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
