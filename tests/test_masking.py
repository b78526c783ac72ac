"""Secrets are masked; plain text isn't."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_schemascore.running.masking import mask_secrets

SECRET = "a1B2c3D4e5F6g7H8i9J0k1L2"
"""Stands for any secret; a masked text must not hold any piece of it."""


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        (f"Authorization: Bearer {SECRET}", "Authorization: Bearer ***"),
        (f"authorization: Basic {SECRET}==\nHost: x", "authorization: Basic ***\nHost: x"),
        (f"Proxy-Authorization: {SECRET}", "Proxy-Authorization: ***"),
        (f"{{'Authorization': 'Bearer {SECRET}', 'n': 1}}", "{'Authorization': 'Bearer ***', 'n': 1}"),
        (f'{{"authorization": "token {SECRET}"}}', '{"authorization": "token ***"}'),
        (f"(b'Authorization', b'Bearer {SECRET}')", "(b'Authorization', b'Bearer ***')"),
        (f"[('authorization', '{SECRET}')]", "[('authorization', '***')]"),
        (f'Authorization: Digest username="u", response="{SECRET}"', None),
        (f"sent bearer {SECRET}.", None),
        (f"x-api-key: {SECRET}", "x-api-key: ***"),
        (f"'X-Goog-Api-Key': '{SECRET}'", "'X-Goog-Api-Key': '***'"),
        (f"Set-Cookie: session={SECRET}; HttpOnly", "Set-Cookie: ***"),
        (f"Incorrect API key provided: sk-{SECRET}.", "Incorrect API key provided: ***."),
        (f"key sk-proj-{SECRET}_{SECRET} refused", "key *** refused"),
        (f"sk-ant-api03-{SECRET}", "***"),
        (f"ghp_{SECRET}{SECRET[:12]}", "***"),
        (f"github_pat_{SECRET}", "***"),
        (f"hf_{SECRET}", "***"),
        ("AKIAIOSFODNN7EXAMPLE", "***"),
        (f"AIzaSy{SECRET}{SECRET[:9]}", "***"),
        ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N", "***"),
        (f"postgresql://user:{SECRET}@db:5432/x", "postgresql://user:***@db:5432/x"),
        (f"https://user:p@{SECRET}@host/path", "https://user:***@host/path"),
        (f"redis://:{SECRET}@host", "redis://:***@host"),
        (f"GET https://api.test/v1?api_key={SECRET}&page=2", "GET https://api.test/v1?api_key=***&page=2"),
        (
            f"https://g.test/v1beta/m:generate?key={SECRET} 403",
            "https://g.test/v1beta/m:generate?key=*** 403",
        ),
        (f"Client(api_key='{SECRET}', retries=2)", "Client(api_key='***', retries=2)"),
        (f"OPENAI_API_KEY={SECRET}", "OPENAI_API_KEY=***"),
        (f"aws_secret_access_key = '{SECRET}'", "aws_secret_access_key = '***'"),
        (f'{{"password": "{SECRET}", "user": "u"}}', '{"password": "***", "user": "u"}'),
        (f'body: "{{\\"api_key\\": \\"{SECRET}\\"}}"', 'body: "{\\"api_key\\": \\"***\\"}"'),
        (f"-----BEGIN RSA PRIVATE KEY-----\n{SECRET}\n{SECRET}\n-----END RSA PRIVATE KEY-----", None),
    ],
)
def test_secrets_are_masked(text: str, masked: str | None) -> None:
    """The secret is gone, and what stands around it is kept."""
    found = mask_secrets(text)

    assert SECRET not in found
    assert SECRET[:8] not in found
    if masked is not None:
        assert found == masked


@pytest.mark.parametrize(
    "text",
    [
        "the task-force met the risk-based disk-optimized team",
        "sk-learn-compatible-estimators are fine",
        "a bearer certificate; bearer responsibilities-and-more",
        "password: Field required",
        "the password is too short, the secret: be patient",
        "author: Mary, authorization required",
        "HTTP 429 Too Many Requests for https://api.test:8443/v1/chat?page=2&keyword=x",
        "mail to a.b@example.org or see http://host:80/@user",
        "items[0].key: expected 'a', found 'b'",
        "max_tokens=5, input_tokens=120, token_count: 7",
        "cookie: a small biscuit",
        "eyJust a word.eyJust another",
        "KeyError: 'total'",
        "AKIA is a prefix; so is ghp_short",
        "12:30@noon 1:2@3",
        "",
    ],
)
def test_plain_text_is_left_alone(text: str) -> None:
    """Words that only look like a beginning of a secret stay readable."""
    assert mask_secrets(text) == text


@settings(deadline=None, max_examples=200)
@given(st.text(st.sampled_from("sk-_ab1:/@=?&'\" \n.Bearer"), max_size=80) | st.text())
def test_masking_twice_is_masking_once(text: str) -> None:
    """A masked text holds nothing more to mask."""
    once = mask_secrets(text)

    assert mask_secrets(once) == once


@pytest.mark.parametrize(
    "piece",
    ["a", "sk-", "api_key", "a_", "://a:", "Authorization: ", "bearer ", "?key=", "x-", ",a=1", "eyJ."],
)
def test_long_texts_take_no_more_than_their_length(piece: str) -> None:
    """A message of 200,000 characters that keeps beginning a secret comes back (no exponential search)."""
    assert mask_secrets(piece * (200_000 // len(piece)))
