"""Verifies a webhook: the signature of Standard Webhooks over id, time and exact bytes (HMAC-SHA256), and its age."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import re
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, cast

from ._types import StarpostEvent

WebhookFailure = Literal["missing_signature", "wrong_signature", "wrong_time", "not_json"]

# More than a rotation ever has.
_SIGNATURES_MAX = 10


class WebhookError(Exception):
    """The request did not come from the channel, is too old, or is not an event. Answer it with 400 or 401."""

    def __init__(self, reason: WebhookFailure, message: str) -> None:
        super().__init__(message)
        self.reason = reason


class HeaderSource(Protocol):
    """A dictionary, or the headers of a web framework."""

    def items(self) -> Iterable[tuple[str, str]]: ...


@dataclass(frozen=True)
class VerifiedWebhook:
    event: StarpostEvent
    #: The delivery's id, the same in every attempt; None without the header. Signed unless `accepts_body_signature`.
    delivery_id: str | None
    #: A test event, sent from the dashboard or the command line.
    is_test: bool


def verify_webhook(
    *,
    body: bytes | str,
    headers: HeaderSource,
    secret: str | Sequence[str],
    tolerance_seconds: float | None = 300,
    accepts_body_signature: bool = False,
    now: Callable[[], float] = time.time,
) -> VerifiedWebhook:
    """Verifies the signature in constant time.

    `webhook-signature` covers id, time and body: one of its values is `v1,` and the base64 HMAC-SHA256 of
    `<webhook-id>.<webhook-timestamp>.<body>`, keyed by the bytes that the secret encodes in base64 behind `whsec_`. It
    is checked alone where it is present, because after a rotation `X-Service-Signature` (`sha256=` and the hexadecimal
    HMAC-SHA256 of the body, keyed by the UTF-8 bytes of the whole secret) is by the new secret only.

    :param body: as it came, before parsing; a body that was parsed and written again has other bytes
    :param headers: names are found in any case
    :param secret: the channel's secret as shown, `whsec_…`; several while a rotation is under way
    :param tolerance_seconds: how old or how far ahead the timestamp may be; None accepts any age
    :param accepts_body_signature: also accepts requests without `webhook-signature`, by `X-Service-Signature` alone.
        That signature covers neither id nor time, so an attacker who recorded a request can replay it at any time.
    :param now: seconds since 1970, for tests
    :raises WebhookError: with the reason; only a result means that the event can be trusted
    :raises ValueError: for an empty secret
    """
    data = body.encode() if isinstance(body, str) else bytes(body)
    secrets = [secret] if isinstance(secret, str) else list(secret)
    # An environment variable that is not set, for example. Anyone could sign with an empty key.
    if not secrets or "" in secrets:
        raise ValueError("the channel's secret is empty")
    found = {name.lower(): value for name, value in headers.items()}
    is_body_enough = accepts_body_signature and "webhook-signature" not in found
    if is_body_enough:
        _check_body_signature(found, data, secrets)
    else:
        _check_standard(found, data, secrets)
        _check_time(found["webhook-timestamp"], tolerance_seconds, now)
    return VerifiedWebhook(
        event=_parse_event(data),
        delivery_id=found.get("x-service-delivery" if is_body_enough else "webhook-id"),
        is_test=found.get("x-service-test") == "1",
    )


def _check_body_signature(headers: Mapping[str, str], body: bytes, secrets: Sequence[str]) -> None:
    match = re.fullmatch(r"sha256=([0-9a-fA-F]{64})", headers.get("x-service-signature", ""))
    if not match:
        raise WebhookError("missing_signature", "the X-Service-Signature header is missing or malformed")
    _check([bytes.fromhex(match[1])], body, [secret.encode() for secret in secrets])


def _check_standard(headers: Mapping[str, str], body: bytes, secrets: Sequence[str]) -> None:
    delivery_id, timestamp = headers.get("webhook-id"), headers.get("webhook-timestamp")
    values = headers.get("webhook-signature", "").split(" ")[:_SIGNATURES_MAX]
    decoded = [_from_base64(value[3:]) for value in values if value.startswith("v1,")]
    signatures = [one for one in decoded if one is not None]
    if delivery_id is None or timestamp is None or not signatures:
        raise WebhookError(
            "missing_signature", "webhook-id, webhook-timestamp or webhook-signature is missing or malformed"
        )
    keys = [_from_base64(secret.removeprefix("whsec_")) for secret in secrets]
    _check(signatures, f"{delivery_id}.{timestamp}.".encode() + body, [key for key in keys if key])


def _check(signatures: Sequence[bytes], message: bytes, keys: Sequence[bytes]) -> None:
    is_signed = False
    for key in keys:
        expected = hmac.new(key, message, hashlib.sha256).digest()
        for signature in signatures:
            is_signed |= hmac.compare_digest(expected, signature)
    if not is_signed:
        raise WebhookError("wrong_signature", "the signature does not match the request")


def _check_time(timestamp: str, tolerance_seconds: float | None, now: Callable[[], float]) -> None:
    if tolerance_seconds is None:
        return
    is_number = re.fullmatch(r"[0-9]{1,15}", timestamp) is not None
    if not is_number or abs(now() - int(timestamp)) > tolerance_seconds:
        raise WebhookError("wrong_time", "the webhook-timestamp header is too old or ahead")


def _parse_event(body: bytes) -> StarpostEvent:
    try:
        event: Any = json.loads(body)
    except ValueError:
        event = None
    if isinstance(event, dict) and "event" in event:
        return cast(StarpostEvent, event)
    raise WebhookError("not_json", "the body is not a Starpost event")


def _from_base64(text: str) -> bytes | None:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None
