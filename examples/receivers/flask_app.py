# Flask 2 or 3: pip install flask, python flask_app.py
import base64
import hashlib
import hmac
import json
import os
import time

from flask import Flask, request

SECRET = base64.b64decode(os.environ["STARPOST_SECRET"].removeprefix("whsec_"))
app = Flask(__name__)


def is_from_starpost(body, headers):
    sent_at = headers.get("webhook-timestamp", "")
    message = f"{headers.get('webhook-id', '')}.{sent_at}.".encode() + body
    mac = base64.b64encode(hmac.new(SECRET, message, hashlib.sha256).digest())
    received = headers.get("webhook-signature", "").split(" ")  # several while a secret is being replaced
    is_signed = any(hmac.compare_digest(one.encode(), b"v1," + mac) for one in received)
    # An older request may be a recording that was sent again.
    return is_signed and abs(time.time() - int(sent_at)) <= 300


@app.post("/")
def receive():
    body = request.get_data()  # the bytes as received
    if not is_from_starpost(body, request.headers):
        return "", 401
    event = json.loads(body)
    review = event.get("review") or {}
    print(event["event"], review.get("rating"), review.get("text"), flush=True)
    return "", 204


if __name__ == "__main__":
    app.run(host="127.0.0.1", port=int(os.environ.get("PORT", "3000")))
