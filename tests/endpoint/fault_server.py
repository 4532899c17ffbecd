"""A chat endpoint that misbehaves to order."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

ANSWER = "<think>\nOne program a row.\n</think>\n\n```python\nclass ModelNew:\n    pass\n```\n"


def completion(text=ANSWER):
    return {
        "choices": [{"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 11, "completion_tokens": 7},
    }


def chunks(text=ANSWER):
    for at in range(0, len(text), 9):
        yield {"choices": [{"index": 0, "delta": {"content": text[at : at + 9]}, "finish_reason": None}]}
    yield {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}], "usage": {"prompt_tokens": 11, "completion_tokens": 7}}


class FaultServer:
    """Answers with the faults in turn, then as it should: an integer is a status, a word a way to fail. What it should
    say, `answer` makes of a request."""

    def __init__(self, faults=(), always=None, answer=lambda _: ANSWER):
        self.faults = list(faults)
        self.always = always
        self.requests = []
        self.lock = threading.Lock()
        server = self

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *_):
                pass

            def do_GET(self):
                self.send(200, json.dumps({"data": [{"id": "tiny"}]}).encode())

            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                with server.lock:
                    server.requests.append(body)
                    fault = server.always or (server.faults.pop(0) if server.faults else None)
                self.answer(fault, body)

            def answer(self, fault, body):
                if isinstance(fault, int):
                    self.send(fault, b'{"error": {"message": "not now"}}', {"Retry-After": "1"} if fault == 429 else {})
                elif fault == "garbage":
                    self.send(200, b"<html>\x00\xff")
                elif fault == "nothing":
                    self.connection.close()
                elif fault == "half":
                    self.send_response(200)
                    self.send_header("Content-Type", "text/event-stream")
                    self.end_headers()
                    for chunk in list(chunks())[:3]:
                        self.wfile.write(f"data: {json.dumps(chunk)}\n\n".encode())
                elif fault == "short":
                    self.send(200, json.dumps(completion()).encode(), announced=10_000)
                elif body.get("stream"):
                    self.send_response(200)
                    self.send_header("Content-Type", "text/event-stream")
                    self.end_headers()
                    for chunk in chunks(answer(body)):
                        self.wfile.write(f"data: {json.dumps(chunk)}\n\n".encode())
                    self.wfile.write(b"data: [DONE]\n\n")
                else:
                    self.send(200, json.dumps(completion(answer(body))).encode())

            def send(self, status, body, headers=None, announced=None):
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(announced or len(body)))
                for name, value in (headers or {}).items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body)
                self.close_connection = True

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.http.server_address[1]}/v1"
        self.thread = threading.Thread(target=self.http.serve_forever, daemon=True)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.http.shutdown()
        self.http.server_close()
