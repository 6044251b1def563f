"""Digits to train on, without a data set: ten glyphs of 5 by 7 pixels, shifted, scaled and noisy, in images of 10 by 10.
Every client version trains the same network on the same images."""
import numpy

GLYPHS = ("01110 10001 10011 10101 11001 10001 01110", "00100 01100 00100 00100 00100 00100 01110",
          "01110 10001 00001 00110 01000 10000 11111", "11110 00001 00001 01110 00001 00001 11110",
          "00010 00110 01010 10010 11111 00010 00010", "11111 10000 11110 00001 00001 10001 01110",
          "00110 01000 10000 11110 10001 10001 01110", "11111 00001 00010 00100 01000 01000 01000",
          "01110 10001 10001 01110 10001 10001 01110", "01110 10001 10001 01111 00001 00010 01100")
SIZE, BATCH, EPOCHS, LEARNING_RATE = 10, 64, 8, 0.05
ACCURACY = 0.97


def make(count, seed):
    """(images, labels): float32[count, SIZE, SIZE] and int32[count]."""
    random = numpy.random.RandomState(seed)
    glyphs = numpy.array([[[int(pixel) for pixel in row] for row in glyph.split()] for glyph in GLYPHS], "float32")
    labels = random.randint(0, 10, count)
    images = random.normal(0, 0.1, (count, SIZE, SIZE))
    for i, label in enumerate(labels):
        top, left = random.randint(0, SIZE - 7), random.randint(0, SIZE - 5)
        images[i, top:top + 7, left:left + 5] += glyphs[label] * random.uniform(0.7, 1.2)
    return images.astype("float32"), labels.astype("int32")


def batches(count, seed=0):
    """The order in which the images are learned: lists of BATCH indices."""
    shuffle = numpy.random.RandomState(seed)
    for _ in range(EPOCHS):
        order = shuffle.permutation(count)
        for first in range(0, count - BATCH + 1, BATCH):
            yield order[first:first + BATCH]


def report(columns):
    """Runs each function of {column: function, or None} and prints the line that scripts/versions.py reads."""
    for column, function in columns.items():
        if function is None:
            print(f"{column}: none", flush=True)
            continue
        try:
            said = function()
            print(f"{column}: passed{': ' + said if said else ''}", flush=True)
        except Exception as problem:
            import traceback
            traceback.print_exc()
            print(f"{column}: failed: {type(problem).__name__}: {str(problem).strip().splitlines()[0][:200] if str(problem).strip() else ''}", flush=True)
