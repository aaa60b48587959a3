# Runs one program that arrives on descriptor 3 and answers on descriptor 4.
# Each message is its length in four bytes, then JSON.
import ast
import json
import os
import sys


def receive():
    def exactly(count):
        parts = []
        while count:
            part = os.read(3, count)
            if not part:
                os._exit(1)
            parts.append(part)
            count -= len(part)
        return b"".join(parts)

    return json.loads(exactly(int.from_bytes(exactly(4), "little")))


def send(text):
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except Exception:
            pass
    body = text.encode("utf-8", "replace")
    message = len(body).to_bytes(4, "little") + body
    while message:
        message = message[os.write(4, message):]
    os._exit(0)


def fail(reason, kind, message, line=0, trace=""):
    send(json.dumps({"failure": {
        "reason": reason, "type": kind[:200], "message": message[:4000], "line": line, "trace": trace[-4000:]}}))


def place(error):
    """The line of the program at which an exception was raised, and its trace."""
    import traceback
    frames = [f for f in traceback.extract_tb(error.__traceback__) if f.filename == "<code>"]
    line = frames[-1].lineno if frames else 0
    return line, "".join(traceback.format_list(frames) + traceback.format_exception_only(type(error), error))


def function_of(code, entry):
    """The program as a function: its code is the body."""
    tree = ast.parse(code, "<code>")
    body = tree.body
    uses_await = any(isinstance(n, (ast.Await, ast.AsyncFor, ast.AsyncWith)) for n in own_nodes(body))
    if not entry and body and isinstance(body[-1], ast.Expr):
        body[-1] = ast.copy_location(ast.Return(value=body[-1].value), body[-1])
    name = entry if entry.isidentifier() else "main"
    head = "async def" if uses_await else "def"
    try:
        outer = ast.parse(head + " " + name + "(" + ("args" if entry else "data") + "): pass", "<code>")
    except SyntaxError:  # a word of the language
        return function_of(code, "main")
    outer.body[0].body = body or outer.body[0].body
    names = {"__name__": "__main__", "__builtins__": __builtins__}
    exec(compile(ast.fix_missing_locations(outer), "<code>", "exec"), names)
    return names[name]


def own_nodes(body):
    """All nodes that are not part of a function within."""
    left = list(body)
    while left:
        node = left.pop()
        yield node
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            left.extend(ast.iter_child_nodes(node))


def main():
    os.write(4, b"\x02\0\0\0{}")  # ready
    job = receive()
    os.close(3)
    memory = "memory limit of " + job["memory_text"] + " exceeded"
    try:
        try:
            function = function_of(job["code"], job["entry"])
        except (SyntaxError, ValueError) as error:
            line = getattr(error, "lineno", None) or 0
            where = " (line %d)" % line if line else ""
            text = getattr(error, "msg", None) or str(error)
            return fail("syntax", type(error).__name__, type(error).__name__ + ": " + text + where, line)
        try:
            value = function(job["data"])
            if hasattr(value, "__await__"):
                import asyncio
                value = asyncio.run(value)
        except MemoryError:
            raise
        except BaseException as error:
            line, trace = place(error)
            name = type(error).__name__
            where = " (line %d)" % line if line else ""
            return fail("thrown", name, name + ": " + str(error) + where, line, trace)
        try:
            text = json.dumps(value, allow_nan=False, ensure_ascii=False, separators=(",", ":"))
        except MemoryError:
            raise
        except Exception as error:
            return fail("bad_value", type(error).__name__, "the result cannot be written as JSON: " + str(error))
        value = None
        if len(text.encode("utf-8", "replace")) > job["output"]:
            return fail("output", "OutputLimitExceeded", job["output_message"])
        send('{"value":' + text + "}")
    except MemoryError:
        function = value = text = None
        fail("memory", "MemoryLimitExceeded", memory)
    except RecursionError as error:
        fail("stack", "RecursionError", "RecursionError: " + str(error))


main()
