"""lower.py FILE.py:FUNCTION OUTPUT cpu|tpu DEVICES [EXPRESSION]

Writes a Python function as StableHLO text to OUTPUT, for `gantry run`, `plan` and `bench --python`. FUNCTION may be dotted, and
FILE.py a module's name. DEVICES: the number that JAX gets meanwhile, 0 for its default. Its example arguments are the tuple of EXPRESSION, evaluated with the module's names and jax, jnp, np, torch; without
it, the module's `example_args`, a tuple or a function that returns one. Shapes are enough: jax.ShapeDtypeStruct((8, 4), jnp.float32).
A function is JAX's, unless it is a torch.nn.Module or has a tensor of PyTorch among its arguments: then torch_xla exports it."""
import functools
import importlib
import importlib.util
import inspect
import os
import sys


def load(source):
    """The module of a file or of a name; its folder is on the path, as when Python runs it."""
    if not source.endswith(".py"):
        sys.path.insert(0, os.getcwd())
        return importlib.import_module(source)
    if not os.path.isfile(source):
        sys.exit(f"{source}: no such file")
    sys.path.insert(0, os.path.dirname(os.path.abspath(source)))
    name = os.path.basename(source).removesuffix(".py")
    spec = importlib.util.spec_from_file_location(name, source)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def find(module, name):
    try:
        return functools.reduce(getattr, name.split("."), module)
    except AttributeError:
        functions = [each for each, value in vars(module).items() if callable(value) and not each.startswith("_")]
        sys.exit(f"{module.__name__} has no {name}; it has {', '.join(functions[:12]) or 'no functions'}")


def names_for_arguments(module):
    names = {}
    for name, package in (("jax", "jax"), ("jnp", "jax.numpy"), ("np", "numpy"), ("torch", "torch")):
        if package.split(".")[0] in sys.modules:
            names[name] = importlib.import_module(package)
    return names | vars(module)


def evaluate(expression, module):
    try:
        return eval(f"({expression},)" if expression.strip() else "()", names_for_arguments(module))
    except Exception as error:
        sys.exit(f"--args {expression}: {type(error).__name__}: {error}")


def check_arguments(function, name, arguments):
    """Ends with a message if the function cannot be called with so many arguments."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):  # it has none, as built-in functions
        return
    try:
        signature.bind(*arguments)
    except TypeError as error:
        sys.exit(f"{name}{signature} with {len(arguments)} arguments: {error}. Pass --args 'EXPRESSION, ...' with one for each")


def example_arguments(module, name, expression):
    if expression is not None:
        return evaluate(expression, module)
    found = getattr(module, "example_args", None)
    if found is None:
        sys.exit(f"{name} has no example arguments: pass --args 'EXPRESSION, ...', or define example_args in {module.__name__}")
    return tuple(found() if callable(found) else found)


def is_torch(function, arguments):
    torch = sys.modules.get("torch")
    return bool(torch) and (isinstance(function, torch.nn.Module) or any(isinstance(value, torch.Tensor) for value in arguments))


def lower_torch(function, arguments):
    import torch
    from torch_xla.stablehlo import exported_program_to_stablehlo

    class Called(torch.nn.Module):
        def forward(self, *values):
            return function(*values)

    module = function if isinstance(function, torch.nn.Module) else Called()
    return exported_program_to_stablehlo(torch.export.export(module, arguments)).get_stablehlo_text()


def lower_jax(function, arguments, platform):
    import jax
    jitted = function if hasattr(function, "trace") else jax.jit(function)
    return jitted.trace(*arguments).lower(lowering_platforms=(platform,)).as_text(debug_info=True)


def main(where, output, platform, devices, expression=None):
    source, colon, name = where.rpartition(":")
    if not colon or not source or not name:
        sys.exit(f"{where}: expected FILE.py:FUNCTION")
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    if devices != "0":
        os.environ.setdefault("JAX_NUM_CPU_DEVICES", devices)
    module = load(source)
    function, arguments = find(module, name), example_arguments(module, name, expression)
    check_arguments(function, name, arguments)
    text = lower_torch(function, arguments) if is_torch(function, arguments) else lower_jax(function, arguments, platform)
    with open(output, "w", encoding="utf-8") as file:
        file.write(text)


if __name__ == "__main__":
    main(*sys.argv[1:])
