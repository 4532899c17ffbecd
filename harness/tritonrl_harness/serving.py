"""What every guest process does: take commands, answer each, tell what an exception was."""

import errno
import gc
import os
import traceback

from .options import Options
from .values import Unspeakable

_MOST_TEXT = 2000
_OUT_OF_MEMORY = ("can't allocate memory", "CUDA out of memory", "Cannot allocate memory", "bad_alloc")

_FAULTS = ("illegal memory access", "misaligned address", "unspecified launch failure", "illegal instruction")


def preload():
    """Before the first fork: everything imported, Triton's compiler once through."""
    from . import guest, oracle, warming  # noqa: F401 (guest: for the children)
    from .install import install

    install(Options(guest=True))
    warming.compute_once()
    oracle.rehearse()
    warming.compile_once()
    gc.collect()
    gc.freeze()
    # A guest lives for a second or so: looking for cycles ever so often would cost a twentieth of it.
    gc.set_threshold(20_000)


def serve(descriptors, handler_of):
    """Commands go to the method of their name of the handler, until the other side has gone."""
    from .install import install

    state = install()
    state.start(descriptors)
    handler = handler_of(state)
    # Held here: what runs later in this process may replace the module's names.
    next_command, reply, failed = state.executor.next_command, state.executor.reply, failure
    while (command := next_command()) is not None:
        try:
            answer = getattr(handler, f"do_{command.pop('do')}")(**command)
        except BaseException as error:  # a guest's SystemExit is its failure, not our end
            answer = {"failure": failed(error)}
        reply(answer)
    os._exit(0)


def failure(error):
    """An exception as the other side wants it: a kind, the words, and the candidate's line."""
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == SOURCE]
    try:
        text = str(error)
    except BaseException:  # the words are the guest's too
        text = ""
    return {
        "kind": _kind(error, text),
        "type": type(error).__name__,
        "message": text[:_MOST_TEXT],
        "line": lines[-1] if lines else 0,
    }


SOURCE = "/tmp/kernel.py"


def out_of_memory(error, text=None):
    words = str(error) if text is None else text
    return isinstance(error, MemoryError) or type(error).__name__ == "OutOfMemoryError" or any(w in words for w in _OUT_OF_MEMORY)


def _kind(error, text):
    name = type(error).__name__
    if isinstance(error, Unspeakable):
        return "unspeakable"
    if isinstance(error, (SystemExit, KeyboardInterrupt)):
        return "exit"
    if out_of_memory(error, text):
        return "memory"
    if isinstance(error, OSError) and error.errno in (errno.EFBIG, errno.ENOSPC, errno.EDQUOT):
        return "disk"
    if name == "UnsupportedKernel":
        return "unsupported"
    if any(words in text for words in _FAULTS):
        return "fault"
    if isinstance(error, RecursionError):
        return "exception"
    module = type(error).__module__ or ""
    if module.startswith("triton.") and name in ("CompilationError", "CompileTimeAssertionFailure", "UnsupportedLanguageConstruct", "OutOfResources", "PTXASError"):
        return "compile"
    return "exception"

