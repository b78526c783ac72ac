"""A local stand-in for an OpenAI-compatible endpoint, which answers with recorded text and can be unwell.

``python recorded_model.py`` starts it and prints what to set; tests start it with `serving`.
"""

from __future__ import annotations

import json
import threading
from collections import Counter
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

HERE = Path(__file__).parent


def _lines(name: str) -> list[dict[str, Any]]:
    text = (HERE / name).read_text(encoding="utf-8")
    return [json.loads(line) for line in text.strip().split("\n")]


class RecordedModel(ThreadingHTTPServer):
    """Serves ``/v1/chat/completions``; knows a case by its input, which stands in one of the messages.

    Attributes:
        busy: ids of cases whose first request gets a 429 with ``Retry-After``.
        slow: ids of cases whose first request is never answered.
        calls: how many requests came for each case.
    """

    daemon_threads = True

    def __init__(self, busy: frozenset[str] = frozenset(), slow: frozenset[str] = frozenset()) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.busy = busy
        self.slow = slow
        self.calls: Counter[str] = Counter()
        self.closing = threading.Event()
        self.inputs = {case["input"]: case["id"] for case in _lines("cases.jsonl")}
        self.answers = {answer["id"]: answer["content"] for answer in _lines("answers.jsonl")}
        self._lock = threading.Lock()

    @property
    def url(self) -> str:
        """What clients call the base URL."""
        return f"http://127.0.0.1:{self.server_port}/v1"

    def count(self, case: str) -> int:
        """Count a request for *case*, and return the how-manieth it is."""
        with self._lock:
            self.calls[case] += 1
            return self.calls[case]


class _Handler(BaseHTTPRequestHandler):
    server: RecordedModel

    def do_POST(self) -> None:
        """Answer one request for a completion."""
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        said = [str(message.get("content", "")) for message in body["messages"]]
        case = next((id_ for text, id_ in self.server.inputs.items() if text in said), None)
        if self.path != "/v1/chat/completions" or case is None:
            self._send(404, {"error": {"message": "nothing is recorded for this request"}})
            return
        first = self.server.count(case) == 1
        if first and case in self.server.slow:
            self.server.closing.wait(60)
        elif first and case in self.server.busy:
            self._send(429, {"error": {"message": "too many requests"}}, {"Retry-After": "1"})
        else:
            self._send(200, _completion(body["model"], self.server.answers[case]))

    def _send(self, status: int, value: object, headers: dict[str, str] | None = None) -> None:
        data = json.dumps(value).encode()
        self.send_response(status)
        for name, text in {"Content-Type": "application/json", **(headers or {})}.items():
            self.send_header(name, text)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class names it so
        """Say nothing."""


def _completion(model: str, content: str) -> dict[str, Any]:
    tokens = len(content.split())
    return {
        "id": "recorded",
        "object": "chat.completion",
        "created": 0,
        "model": model,
        "choices": [
            {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": content}}
        ],
        "usage": {"prompt_tokens": 0, "completion_tokens": tokens, "total_tokens": tokens},
    }


@contextmanager
def serving(
    busy: frozenset[str] = frozenset(), slow: frozenset[str] = frozenset()
) -> Iterator[RecordedModel]:
    """Serve in a thread of its own until the block ends."""
    server = RecordedModel(busy, slow)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.closing.set()
        server.shutdown()
        server.server_close()
        thread.join()


if __name__ == "__main__":
    with serving() as model:
        print(f"export OPENAI_BASE_URL={model.url}  (until Ctrl-C)", flush=True)
        with suppress(KeyboardInterrupt):
            threading.Event().wait()
