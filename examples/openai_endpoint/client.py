"""An async client for any OpenAI-compatible endpoint, with retries where a second try makes sense."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import httpx
from tenacity import AsyncRetrying, retry_if_exception, stop_after_attempt, wait_random_exponential

if TYPE_CHECKING:
    from tenacity import RetryCallState

ATTEMPTS = 4
BACK_OFF = wait_random_exponential(multiplier=0.5, max=20)


@dataclass(frozen=True, slots=True)
class Completion:
    """What the model answered, and what it took."""

    text: str
    tokens: int
    attempts: int


class Client:
    """Asks the endpoint that ``OPENAI_BASE_URL``, ``OPENAI_API_KEY`` and ``OPENAI_MODEL`` name.

    ``OPENAI_TIMEOUT`` is the number of seconds that one request may take, 30 by default.
    """

    def __init__(self) -> None:
        self._model = os.environ.get("OPENAI_MODEL", "gpt-4o-mini")
        key = os.environ.get("OPENAI_API_KEY", "")
        self._http = httpx.AsyncClient(
            base_url=os.environ["OPENAI_BASE_URL"].rstrip("/") + "/",
            headers={"Authorization": f"Bearer {key}"} if key else {},
            timeout=float(os.environ.get("OPENAI_TIMEOUT", "30")),
        )

    async def __aenter__(self) -> Client:
        await self._http.__aenter__()
        return self

    async def __aexit__(self, *error: Any) -> None:
        await self._http.__aexit__(*error)

    async def complete(self, instruction: str, text: str) -> Completion:
        """Return the model's answer to *text* under *instruction*.

        Raises:
            httpx.HTTPError: the last try failed too, or the endpoint refused the request.
        """
        body = {
            "model": self._model,
            "temperature": 0,
            "response_format": {"type": "json_object"},
            "messages": [{"role": "system", "content": instruction}, {"role": "user", "content": text}],
        }
        retrying = AsyncRetrying(
            retry=retry_if_exception(is_passing),
            wait=pause,
            stop=stop_after_attempt(ATTEMPTS),
            reraise=True,
        )
        response: httpx.Response = await retrying(self._post, body)
        answer = response.json()
        return Completion(
            answer["choices"][0]["message"]["content"],
            answer["usage"]["total_tokens"],
            retrying.statistics["attempt_number"],
        )

    async def _post(self, body: dict[str, Any]) -> httpx.Response:
        response = await self._http.post("chat/completions", json=body)
        return response.raise_for_status()


def is_passing(error: BaseException) -> bool:
    """Say whether a request that failed with *error* may succeed a moment later."""
    if isinstance(error, httpx.HTTPStatusError):
        return error.response.status_code == 429 or error.response.status_code >= 500
    return isinstance(error, httpx.TransportError)  # time-outs are such errors too


def pause(state: RetryCallState) -> float:
    """Return the seconds to wait: what the endpoint asked for, else longer after each try."""
    error = state.outcome.exception() if state.outcome is not None else None
    if isinstance(error, httpx.HTTPStatusError):
        asked = error.response.headers.get("Retry-After", "")
        if asked.isdecimal():
            return float(asked)
    return BACK_OFF(state)
