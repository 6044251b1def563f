#!/usr/bin/env python3
"""Profiles of JAX programs, as xprof's tools read them: profile_tools.py [--keep FOLDER]

Records the programs of profile_programs.py on the CPU device (measured) and on the TPU model (in its own time), converts
the profiles with xprof, and compares what its tools say with what is known of the programs. Prints a line for each tool and
profile. --keep: leaves the profiles there, for `xprof --logdir FOLDER/cpu`."""
import argparse
import glob
import json
import os
import subprocess
import sys
import tempfile

from profile_programs import DEPTH, ROWS, SIDE, STEPS, TRIPS, WIDTH

HERE = os.path.dirname(os.path.abspath(__file__))
CHIPS = 8
PRODUCT = 2 * ROWS * WIDTH * WIDTH  # flops


def table_rows(table):
    names = [column["id"] for column in table["cols"]]
    return [dict(zip(names, (cell and cell["v"] for cell in row["c"]))) for row in table["rows"]]


class Profile:
    def __init__(self, folder):
        from xprof.convert import raw_to_tool_data
        (self.path,) = glob.glob(os.path.join(folder, "**", "*.xplane.pb"), recursive=True)
        self.tools = raw_to_tool_data.xspace_to_tool_names([self.path])  # this writes the programs beside the profile
        modules = glob.glob(os.path.join(os.path.dirname(self.path), "jit_step(*.hlo_proto.pb"))
        (self.module,) = (os.path.basename(path).removesuffix(".hlo_proto.pb") for path in modules)

    def tool(self, name, parse=True, **options):
        from xprof.convert import raw_to_tool_data
        data, _ = raw_to_tool_data.xspace_to_tool_data([self.path], name, {"use_saved_result": False, **options})
        assert data, f"{name} has no data"
        return json.loads(data) if parse else data.decode()


def overview(profile, device):
    tables = profile.tool("overview_page")
    properties = {key: value for table in tables if isinstance(table, dict) for key, value in table.get("p", {}).items()}
    assert properties["device_type"] == device["type"], properties
    assert float(properties["mxu_utilization_percent"].rstrip("%")) > 0, properties
    assert any("jit(step)" in str(row["operation"]) for row in table_rows(tables[0])), tables[0]["rows"]
    steps = table_rows(tables[1])
    assert len(steps) == STEPS, steps
    assert all(row["tcComputeTimeMs"] > 0 for row in steps), steps
    return f"{properties['device_type']}, {len(steps)} steps"


def flatten(node):
    yield node
    for child in node.get("children", ()):
        yield from flatten(child)


def op_profile(profile, device):
    nodes = list(flatten(profile.tool("op_profile")["byProgram"]))
    (module,) = [node for node in nodes if node["name"].startswith("jit_step(")]
    flops, least = module["metrics"]["rawFlops"], STEPS * (TRIPS + 1) * PRODUCT
    assert least <= flops < 1.1 * least, (flops, least)
    assert module["metrics"]["rawBytesAccessedArray"][0] > 0, module["metrics"]
    operations = [node for node in nodes if node.get("xla", {}).get("provenance", "").endswith("dot_general:")]
    assert operations or device["fuses"], [node["name"] for node in nodes]
    return f"{flops / 1e6:.0f} Mflop of {least / 1e6:.0f} in products"


def hlo_stats(profile, device):
    rows = table_rows(profile.tool("hlo_stats"))
    inside = [row for row in rows if row["occurrences"] == STEPS * TRIPS and row["normalized_flop_rate"] > 0]
    assert inside, [(row["hlo_op_name"], row["occurrences"]) for row in rows]
    assert any(row["category"] == "while" for row in rows), rows
    located = [row for row in rows if "profile_programs.py:" in (row["source_info"] or "")]
    assert len(located) * 2 > len(rows), (len(located), len(rows))
    assert all(0 <= row["total_self_time"] <= row["total_time"] * (1 + 1e-9) for row in rows), rows
    return f"{len(rows)} operations, {len(located)} with their lines"


def roofline(profile, device):
    table = profile.tool("roofline_model")[0]
    rows = table_rows(table)
    assert table["p"]["device_type"] == device["type"] and float(table["p"]["peak_hbm_bw"]) > 0, table["p"]
    bounds = {row["bound_by"] for row in rows if row["category"] != "IDLE"}
    assert bounds & {"Compute", "HBM"}, bounds
    (program,) = [row for row in rows if row["category"] == "Program" and row["step"] == "Total"][:1]
    assert 0 < program["roofline_efficiency"] <= 1.5, program
    return f"{program['roofline_efficiency']:.0%} of the roofline"


def memory_profile(profile, device):
    allocators = profile.tool("memory_profile")["memoryProfilePerAllocator"]
    memory = allocators[device["memory"]]
    peak = int(memory["profileSummary"]["peakStats"]["peakBytesInUse"])
    assert peak >= 4 * (WIDTH * WIDTH + ROWS * WIDTH), peak
    names = {snapshot["activityMetadata"]["tfOpName"] for snapshot in memory["memoryProfileSnapshots"]}
    assert any("result 0 of 'jit_step'" in name for name in names), names
    return f"peak {peak} bytes, {len(memory['memoryProfileSnapshots'])} changes"


def memory_viewer(profile, device):
    memory = profile.tool("memory_viewer", module_name=profile.module, program_id="", memory_space="0")
    arguments = 4 * (WIDTH * WIDTH + ROWS * WIDTH) / 2**20
    assert memory["entryComputationParametersMib"] == arguments, memory["entryComputationParametersMib"]
    assert max(memory["heapSizes"]) > min(memory["heapSizes"]) >= arguments, memory["heapSizes"]
    groups = {value.get("groupName") for value in memory["maxHeap"]}
    assert {"Parameter", "Output", "Temporary"} <= groups, memory["maxHeap"]
    return f"peak {memory['totalBufferAllocationMib']:.2f} MiB, {len(memory['maxHeap'])} values"


def graph_viewer(profile, device):
    """Each operation of the device is an instruction that the viewer finds."""
    names = [row["hlo_op_name"] for row in table_rows(profile.tool("hlo_stats"))]
    for name in names:
        graph = profile.tool("graph_viewer", parse=False, graph_viewer_options={
            "type": "graph", "node_name": name, "module_name": profile.module, "graph_width": 2, "format": "html", "show_metadata": True, "merge_fusion": False})
        assert f"around {name}<" in graph, (name, graph[:500])
    return f"{len(names)} operations"


def framework_op_stats(profile, device):
    rows = table_rows(profile.tool("framework_op_stats")[0])
    found = {row["operation"]: row for row in rows if row["host_or_device"] == "Device"}
    assert "jit(step)/sub" in found and found["jit(step)/sub"]["measured_flop_rate"] > 0, sorted(found)
    return f"{len(found)} operations"


def input_pipeline(profile, device):
    steps = [row for row in table_rows(profile.tool("input_pipeline_analyzer")[1])]
    assert len(steps) == STEPS and all(row["tcComputeTimeMs"] > 0 for row in steps), steps
    return f"{len(steps)} steps"


def trace_viewer(profile, device):
    events = profile.tool("trace_viewer@")["traceEvents"]
    names = {event["pid"]: event["args"]["name"] for event in events if event.get("name") == "process_name"}
    threads = {(names[event["pid"]].split()[-1], event["args"]["name"]): (event["pid"], event["tid"])
               for event in events if event.get("name") == "thread_name"}
    for line in ("Steps", "XLA Modules", "XLA Ops", *device["lines"]):
        assert ("/device:TPU:0", line) in threads, sorted(threads)
    place = threads["/device:TPU:0", "Steps"]
    steps = [event["name"] for event in events if (event.get("pid"), event.get("tid")) == place and event["ph"] == "X"]
    assert sorted(steps) == [f"train {i}" for i in range(STEPS)], steps  # the client's steps led to the device's
    counters = {event["name"] for event in events if event["ph"] == "C"}
    assert any(device["memory"] in name for name in counters), counters
    return f"{len(events)} events, steps {steps[0]} to {steps[-1]}"


# ---- other programs -----------------------------------------------------------------------------------------------------
def several_devices(profile, device):
    """Each device has a plane and a memory, and takes part in each collective."""
    events = profile.tool("trace_viewer@")["traceEvents"]
    planes = {event["args"]["name"].split()[-1] for event in events if event.get("name") == "process_name"}
    assert {f"/device:TPU:{i}" for i in range(CHIPS)} <= planes, planes
    rows = table_rows(profile.tool("hlo_stats"))
    (reduce,) = [row for row in rows if row["category"] == "all-reduce"]
    assert reduce["occurrences"] == STEPS * CHIPS and reduce["total_self_time"] > 0, reduce
    memories = {name for name in profile.tool("memory_profile")["memoryProfilePerAllocator"] if name.endswith("(device)")}
    assert len(memories) == CHIPS, memories
    return f"{CHIPS} devices, {reduce['hlo_op_name']} {reduce['occurrences']:.0f} times"


def pallas_kernel(profile, device):
    """A kernel is an operation with its own name, and its flops."""
    rows = table_rows(profile.tool("hlo_stats"))
    (kernel,) = [row for row in rows if row["category"] == "custom-call"]
    assert kernel["hlo_op_name"].startswith("my_product."), kernel
    assert kernel["occurrences"] == STEPS and kernel["model_flop_rate"] > 0, kernel
    return f"{kernel['hlo_op_name']}, {kernel['model_flop_rate']:.0f} Gflop/s"


def copies_from_the_host(profile, device):
    """What kernels wait for is an operation, and the copies have a line of their own."""
    rows = table_rows(profile.tool("hlo_stats"))
    (wait,) = [row for row in rows if row["category"] == "copy-done"]
    assert wait["occurrences"] == STEPS * DEPTH and wait["total_self_time"] > 0, wait
    loop = next(row for row in rows if row["category"] == "while")
    assert loop["total_self_time"] < 0.1 * loop["total_time"], loop
    events = profile.tool("trace_viewer@")["traceEvents"]
    assert any(event.get("name") == "thread_name" and event["args"]["name"] == "From the host" for event in events)
    return f"{wait['hlo_op_name']} {wait['total_self_time']:.1f} us"


# ---- the profiles -------------------------------------------------------------------------------------------------------
TOOLS = (overview, op_profile, hlo_stats, framework_op_stats, roofline, input_pipeline, memory_profile, memory_viewer, graph_viewer, trace_viewer)
CPU = {"type": "Gantry cpu", "memory": "CPU_0(device)", "fuses": False, "lines": ()}
TPU = {"type": "TPU v5e (modeled by Gantry)", "memory": "TPU_0(device)", "fuses": True, "lines": ("Matrix units", "Vector unit", "HBM")}
ON_CPU, ON_TPU = {"GANTRY_DEVICE": "cpu"}, {"GANTRY_DEVICE": "tpu"}
PROFILES = {  # program, settings, what is known of the device, tools
    "cpu": ("train", ON_CPU, CPU, TOOLS),
    "tpu": ("train", ON_TPU, TPU, TOOLS),
    "cpu_sharded": ("sharded", {**ON_CPU, "GANTRY_CPU_DEVICES": str(CHIPS)}, CPU, (several_devices, graph_viewer)),
    "tpu_sharded": ("sharded", {**ON_TPU, "GANTRY_TPU_TOPOLOGY": f"v5e:2x{CHIPS // 2}"}, TPU, (several_devices, graph_viewer)),
    "tpu_pallas": ("pallas", ON_TPU, TPU, (pallas_kernel, graph_viewer)),
    "tpu_offload": ("offload", ON_TPU, TPU, (copies_from_the_host, graph_viewer)),
}


def check(name, folder):
    """In a process of its own, since xprof's messages go to its stderr: what each tool says of the profile."""
    profile, failed = Profile(folder), 0
    _, _, device, tools = PROFILES[name]
    for tool in tools:
        try:
            print(f"{name} {tool.__name__}: {tool(profile, device)}")
        except Exception as error:
            failed += 1
            print(f"{name} {tool.__name__} FAILED: {type(error).__name__}: {str(error)[:1500]}")
    return failed


def in_process(script, *arguments, **environment):
    done = subprocess.run([sys.executable, os.path.join(HERE, script), *arguments], env={**os.environ, **environment}, capture_output=True, text=True)
    print(done.stdout, end="")
    if done.returncode and not done.stdout:
        print(done.stderr[-3000:])
    return done.returncode


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--keep", metavar="FOLDER")
    parser.add_argument("--check", nargs=2, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.check:
        return check(*arguments.check)
    failed = 0
    with tempfile.TemporaryDirectory() as temporary:
        for name, (program, settings, _, _) in PROFILES.items():
            folder = os.path.join(arguments.keep or temporary, name)
            failed += (in_process("profile_programs.py", program, folder, JAX_PLATFORMS="gantry", **settings)
                       or in_process("profile_tools.py", "--check", name, folder))
    print(f"{sum(len(tools) for *_, tools in PROFILES.values()) - failed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
