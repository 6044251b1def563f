"""corpus_oracle.py: the forms of a program (portable artifact, texts, HLO), and its results on JAX's own CPU or
StableHLO's interpreter."""
import multiprocessing
import os
import re
import warnings

import jax
import numpy as np
from jax._src import compiler
from jax._src.interpreters import mlir as jax_mlir
from jax._src.lib import _jax, xla_client
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo

jax.config.update("jax_enable_x64", True)
warnings.filterwarnings("ignore")


def operations_of(text):
    """The operations of a module's text, in order of their names."""
    names = {name.replace("-", "_") for name in re.findall(r"(?<!!)\b(?:stablehlo|chlo)\.([a-z_][a-z_0-9-]*)", text)}
    names |= {"call"} if re.search(r"\bcall @", text) else set()
    kinds = set(re.findall(r"#(?:stablehlo|chlo)\.([a-z_0-9]*)", text)) - {"dot_general"}
    return sorted((names - kinds) | {name for name in kinds & names if re.search(rf"(?<!#)\b(?:stablehlo|chlo)\.{name}\b", text)})


class Oracle:
    def __init__(self):
        self.why, self.process = "", None

    def forms(self, case):
        """The portable artifact, and {suffix: bytes} of the program as text; of a model also the generic text and the HLO module."""
        if "chlo." in case.text:
            with jax_mlir.make_ir_context() as context:
                program = xla_client._xla.mlir.serialize_portable_artifact(ir.Module.parse(case.text, context), case.version, True)
        else:
            program = stablehlo.serialize_portable_artifact_str(case.text, case.version)
        with jax_mlir.make_ir_context() as context:
            # A model's forms are those of its bytes. (Python's contexts know quantized types only once bytes have brought them.)
            if case.group == "models" or "!quant" in case.text:
                module = stablehlo.deserialize_portable_artifact(context, program)
            else:
                module = ir.Module.parse(case.text, context)
            forms = {".mlir": module.operation.get_asm().encode()}
            if case.group == "models":
                forms[".generic.mlir"] = module.operation.get_asm(print_generic_op_form=True).encode()
                computation = _jax.mlir.mlir_module_to_xla_computation(module.operation.get_asm(enable_debug_info=True), use_tuple_args=False,
                                                                       return_tuple=True)
                forms[".hlo.pb"] = computation.as_serialized_hlo_module_proto()
        return program, forms

    def ask(self, case):
        """([arrays], source), or None if neither supports the program; then `why` has the reasons."""
        self.why = ""
        for worker, words in ((run_on_cpu, "JAX's own CPU"), (interpret, "StableHLO's interpreter")):
            state, answer = self.apart(worker, case)
            if state:
                return answer, words
            self.why += f"{words}: {answer[:200]} "
        return None

    def apart(self, worker, case):
        """Runs in a process of its own, which the program may end: (True, arrays) or (False, words)."""
        if not self.process or not self.process.is_alive():
            self.connection, there = multiprocessing.Pipe()
            self.process = multiprocessing.get_context("spawn").Process(target=serve, args=(there,), daemon=True)
            self.process.start()
            there.close()
        try:
            self.connection.send((worker.__name__, case.text, case.arrays, case.version))
            return self.connection.recv()
        except (EOFError, OSError):
            self.process.join()
            return False, "ended the process"


def serve(connection):
    devnull = os.open(os.devnull, os.O_WRONLY)
    os.dup2(devnull, 2)
    while True:
        name, text, arrays, version = connection.recv()
        try:
            connection.send((True, globals()[name](text, arrays, version)))
        except Exception as error:
            connection.send((False, str(error).replace("\n", " ")))


def run_on_cpu(text, arrays, version):
    device = jax.devices("cpu")[0]
    with jax_mlir.make_ir_context() as context:
        if "chlo." in text:
            module = ir.Module.parse(text, context)
            program = xla_client._xla.mlir.serialize_portable_artifact(module, version, True)
        else:
            program = stablehlo.serialize_portable_artifact_str(text, version)
        module = _jax.mlir.deserialize_portable_artifact(program)
    with module.context:
        options = compiler.get_compile_options(num_replicas=1, num_partitions=1)
        executable = device.client.compile_and_load(module, _jax.DeviceList((device,)), options)
    results = executable.execute_sharded([jax.device_put(array, device) for array in arrays])
    return [np.asarray(result[0]) for result in results.disassemble_into_single_device_arrays()]


def interpret(text, arrays, version):
    from jaxlib.mlir.passmanager import PassManager
    stablehlo.register_stablehlo_passes()
    with jax_mlir.make_ir_context() as context:
        if "!quant" in text:
            module = stablehlo.deserialize_portable_artifact(context, stablehlo.serialize_portable_artifact_str(text, version))
            PassManager.parse("builtin.module(func.func(stablehlo-legalize-quantized-op-to-qdq,stablehlo-legalize-quant-to-math,"
                              "chlo-legalize-to-stablehlo))").run(module.operation)
        else:
            module = ir.Module.parse(text)
        arguments = [ir.DenseElementsAttr.get(np.ascontiguousarray(array)) for array in arrays]
        return [np.array(result) for result in stablehlo.eval_module(module, arguments)]
