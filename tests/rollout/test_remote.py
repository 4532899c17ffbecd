"""tritonrl model generate --endpoint: against servers that answer, refuse, and die in mid-stream."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

TEXT = "naïve €uro 🙂 kernels"


def chunks(path, body):
    chat = path.endswith("/chat/completions")
    for at in range(0, len(TEXT), 4):
        piece = TEXT[at : at + 4]
        choice = {"index": 0, "finish_reason": None}
        choice |= {"delta": {"content": piece}} if chat else {"text": piece}
        if body.get("return_token_ids"):
            choice["token_ids"] = [at, at + 1]
            if chat:
                choice["logprobs"] = {"content": [{"logprob": -0.5}, {"logprob": -1.5}]}
            else:
                choice["logprobs"] = {"token_logprobs": [-0.5, -1.5]}
        yield {"choices": [choice]}
    last = {"index": 0, "finish_reason": "length"}
    yield {"choices": [last | ({"delta": {}} if chat else {"text": ""})]}


class Server:
    """Faults in turn, then answers: a number is a status; "dies" ends a stream early, "mute" gives no token ids."""

    def __init__(self, *faults):
        self.faults = list(faults)
        self.requests = []
        server = self

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *_):
                pass

            def do_GET(self):
                self.send(200, {"data": [{"id": "tiny"}]})

            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                server.requests.append((self.path, body))
                fault = server.faults.pop(0) if server.faults else None
                if isinstance(fault, int):
                    return self.send(fault, {"error": {"message": "not like this"}})
                self.send_response(200)
                self.send_header("Content-Type", "text/event-stream")
                self.end_headers()
                sent = list(chunks(self.path, {} if fault == "mute" else body))
                for chunk in sent[:2] if fault == "dies" else sent:
                    self.wfile.write(f"data: {json.dumps(chunk)}\n\n".encode())
                    self.wfile.flush()
                if fault != "dies":
                    self.wfile.write(b"data: [DONE]\n\n")

            def send(self, status, body):
                text = json.dumps(body).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text)

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.http.server_address[1]}/v1"

    def __enter__(self):
        threading.Thread(target=self.http.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.http.shutdown()
        self.http.server_close()


def generate(program, server, *arguments):
    return program.run("model", "generate", "--endpoint", server.url, "--prompt", "Hi", *arguments)


@pytest.mark.parametrize(("flags", "path"), [((), "/v1/completions"), (("--chat",), "/v1/chat/completions")])
def test_a_server_answers(program, flags, path):
    with Server() as server:
        result = generate(program, server, *flags, "--max-tokens", 9, "--seed", 3, "--stop", "xyz")
    assert result.returncode == 0, result.stderr
    assert result.stdout == TEXT + "\n"
    (asked, body), = server.requests
    assert asked == path
    assert body["model"] == "tiny"
    assert (body["max_tokens"], body["seed"], body["stop"]) == (9, 3, ["xyz"])
    assert body.get("messages", [{"content": body.get("prompt")}])[0]["content"] == "Hi"


@pytest.mark.parametrize("flags", [(), ("--chat",)])
def test_token_ids_and_log_probabilities_come_where_the_server_gives_them(program, flags):
    with Server() as server:
        result = generate(program, server, *flags, "--tokens", "--json", "-n", 3)
    assert result.returncode == 0, result.stderr
    rows = [json.loads(line) for line in result.stdout.splitlines()]
    assert sorted(row["index"] for row in rows) == [0, 1, 2]
    for row in rows:
        assert row["text"] == TEXT
        assert row["finish"] == "length"
        assert row["token_ids"][:4] == [0, 1, 4, 5]
        assert row["raw_log_probs"][:2] == [-0.5, -1.5]
    assert len({body["seed"] for _, body in server.requests}) == 3


def test_a_server_without_token_ids_is_told_apart(program):
    with Server("mute") as server:
        result = generate(program, server, "--tokens", "--json")
    assert result.returncode == 2
    assert "0 token ids" in result.stderr


def test_a_busy_server_is_asked_again(program):
    with Server(503) as server:
        result = generate(program, server)
    assert result.returncode == 0, result.stderr
    assert len(server.requests) == 2


def test_a_server_that_dies_in_mid_stream_is_an_error(program):
    with Server("dies") as server:
        result = generate(program, server)
    assert result.returncode == 3
    assert "ends before the answer does" in result.stderr
    assert result.stdout == TEXT[:8]


def test_a_stream_that_breaks_is_asked_for_again_where_nobody_watches(program):
    with Server("dies") as server:
        result = generate(program, server, "--json")
    assert result.returncode == 0, result.stderr
    assert json.loads(result.stdout)["text"] == TEXT
    assert len(server.requests) == 2


def test_a_refusal_says_why(program):
    with Server(400) as server:
        result = generate(program, server)
    assert result.returncode == 2
    assert "not like this" in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_no_server_at_all(program):
    result = program.run("model", "generate", "--endpoint", "http://127.0.0.1:9/v1", "--prompt", "x")
    assert result.returncode == 3
    assert "does not answer" in result.stderr
