"""The signed fixtures that all receivers share, and what makes a request wrong. `WEBHOOK_FIXTURES` names their file."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import os
import unittest
from pathlib import Path
from typing import Any

from starpost_client import WebhookError, verify_webhook

FIXTURES = json.loads(Path(os.environ["WEBHOOK_FIXTURES"]).read_text(encoding="utf-8"))
SECRET: str = FIXTURES["secret"]
BODY = '{"event": "review.created", "review": {"text": "Großartig 😀"}}'.encode()
NOW = 1_795_250_220


def sign(body: bytes, secret: str = SECRET, sent_at: int = NOW) -> dict[str, str]:
    key = base64.b64decode(secret.removeprefix("whsec_"))
    mac = hmac.new(key, f"d-1.{sent_at}.".encode() + body, hashlib.sha256).digest()
    return {
        "X-Service-Signature": "sha256=" + hmac.new(secret.encode(), body, hashlib.sha256).hexdigest(),
        "X-Service-Delivery": "d-1",
        "Webhook-Id": "d-1",
        "Webhook-Timestamp": str(sent_at),
        "Webhook-Signature": "v1," + base64.b64encode(mac).decode(),
    }


class WebhookTest(unittest.TestCase):
    def verify(self, **options: Any) -> Any:
        request = {"body": BODY, "headers": sign(BODY), "secret": SECRET, "now": lambda: NOW, **options}
        return verify_webhook(**request)

    def reason(self, **options: Any) -> str:
        with self.assertRaises(WebhookError) as raised:
            self.verify(**options)
        return raised.exception.reason

    def test_every_fixture_is_accepted_or_refused_as_it_says(self) -> None:
        self.assertGreater(len(FIXTURES["fixtures"]), 5)
        for one in FIXTURES["fixtures"]:
            request = {"body": one["body"], "headers": one["headers"], "tolerance_seconds": None}
            with self.subTest(one["name"]):
                if one["isValid"]:
                    self.assertEqual(self.verify(**request).event, json.loads(one["body"]))
                else:
                    self.assertIn(self.reason(**request), ("missing_signature", "wrong_signature"))

    def test_a_verified_request_has_its_event_and_delivery(self) -> None:
        verified = self.verify(headers={**sign(BODY), "X-Service-Test": "1"})
        self.assertEqual((verified.delivery_id, verified.is_test), ("d-1", True))
        self.assertEqual(verified.event["review"]["text"], "Großartig 😀")

    def test_any_of_several_secrets_and_signatures_is_enough_while_one_is_replaced(self) -> None:
        other = "whsec_" + base64.b64encode(b"2" * 32).decode()
        both = " ".join(sign(BODY, key)["Webhook-Signature"] for key in (other, SECRET))
        self.verify(secret=["whsec_not base64", other, SECRET])
        self.verify(headers={**sign(BODY), "Webhook-Signature": both})
        # As after a rotation: the body's signature is by the new secret alone.
        rotated = {**sign(BODY, other), "Webhook-Signature": both}
        self.verify(headers=rotated)
        self.verify(headers=rotated, secret=other)

    def test_reasons_to_refuse(self) -> None:
        signed = sign(BODY)
        self.assertEqual(self.reason(headers={}), "missing_signature")
        self.assertEqual(self.reason(headers={**signed, "Webhook-Signature": "v2,AAAA"}), "missing_signature")
        self.assertEqual(self.reason(body=BODY + b" "), "wrong_signature")
        self.assertEqual(self.reason(secret="whsec_b3RoZXI="), "wrong_signature")
        self.assertEqual(self.reason(now=lambda: NOW + 301), "wrong_time")
        self.assertEqual(self.reason(now=lambda: NOW - 301), "wrong_time")
        self.assertEqual(self.reason(headers={**signed, "Webhook-Timestamp": str(NOW + 1)}), "wrong_signature")
        self.assertEqual(self.reason(body=b"[", headers=sign(b"[")), "not_json")

    def test_the_signature_of_the_body_alone_is_enough_only_by_the_option_that_says_so(self) -> None:
        signed = {name: value for name, value in sign(BODY).items() if name.startswith("X-")}
        self.assertEqual(self.reason(headers=signed), "missing_signature")
        self.assertEqual(self.verify(headers=signed, accepts_body_signature=True).delivery_id, "d-1")
        old = sign(BODY, sent_at=NOW - 3_600)
        self.assertEqual(self.reason(headers=old, accepts_body_signature=True), "wrong_time")
        forged = {**signed, "X-Service-Signature": "sha256=" + "0" * 64}
        self.assertEqual(self.reason(headers=forged, accepts_body_signature=True), "wrong_signature")

    def test_an_empty_secret_is_an_error_of_the_program(self) -> None:
        for secret in ("", [], [SECRET, ""]):
            with self.assertRaises(ValueError):
                self.verify(secret=secret)


if __name__ == "__main__":
    unittest.main()
