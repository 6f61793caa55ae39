# Calls a function of a module, and writes the result on a line of its own.
# Reads the call from standard input.
import sys

# Anyone may control the working directory, so no module is imported from it.
sys.path.pop(0)

import importlib
import inspect
import json
import os


def run(call):
    sys.path.insert(0, call["folder"])
    os.environ.update(call["env"])
    module = importlib.import_module(call["module"])
    found = [getattr(module, name) for name in call["exports"] if hasattr(module, name)]
    if not found:
        raise AttributeError("there is no function " + ", ".join(call["exports"]))
    if len(inspect.signature(found[0]).parameters) < 2:
        return found[0](call["arguments"])
    if call["manifest"] is None:
        raise ValueError("the function asks for the manifest, which is not known here")
    return found[0](call["manifest"], call["arguments"])


call = json.loads(sys.stdin.buffer.read())
# The function prints to standard error, so that standard output has only the result.
result = os.dup(1)
os.dup2(2, 1)
try:
    said = json.dumps({"value": run(call)}, allow_nan=False)
except BaseException as error:
    said = json.dumps({"error": f"{type(error).__name__}: {error}"})
with os.fdopen(result, "w") as output:
    output.write(f"\n{call['mark']}{said}\n")
sys.stdout.flush()
os._exit(0)
