"""whole_models_side.py: what the sides of whole_models.py share: the sizes of the models, and the loop of a measuring process. Each
line of standard input is a JSON request, each line of standard output a response.

    {"do": "prepare", "name": N}    makes the model and calls it once: {"bytes"}: that a call reads, or 0 where it is not known
    {"do": "time", "seconds": S}    {"wall", "cpu"}: medians of seconds of a call"""
import json
import os
import statistics
import sys
import time

GPT = {"layers": 12, "width": 768, "heads": 12, "words": 50257, "places": 1024, "batch": 1, "length": 512}
IMAGES, SIZE, CLASSES = 4, 224, 1000
STAGES = ((3, 64, 1), (4, 128, 2), (6, 256, 2), (3, 512, 2))    # of ResNet-50: blocks, width, stride


def timed(call, seconds):
    until, times = time.perf_counter() + seconds, []
    while not times or time.perf_counter() < until:
        cpu, wall = time.process_time(), time.perf_counter()
        call()
        times.append((time.perf_counter() - wall, time.process_time() - cpu))
    return {"wall": statistics.median(t[0] for t in times), "cpu": statistics.median(t[1] for t in times)}


def serve(make):
    """make(model, what, type) returns a function that runs a step and waits for it."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)                                                   # keep output of libraries apart from responses
    call = None
    for line in sys.stdin:
        request = json.loads(line)
        try:
            if request["do"] == "prepare":
                call = None                                         # frees the model before
                call = make(*request["name"].rsplit(" ", 2))
                call()
                answer = {"bytes": getattr(call, "bytes", 0)}
            else:
                answer = timed(call, request["seconds"])
        except Exception as problem:                                # reported in the row; other rows continue
            answer = {"problem": f"{type(problem).__name__}: {problem}".split("\n")[0][:200]}
        print(json.dumps(answer), file=answers, flush=True)


def bind(cores):
    os.sched_setaffinity(0, {int(core) for core in cores.split(",")})
