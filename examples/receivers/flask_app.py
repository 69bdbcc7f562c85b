# Flask 2 or 3: pip install flask, python flask_app.py
import hashlib
import hmac
import json
import os

from flask import Flask, request

SECRET = os.environ["STARPOST_SECRET"].encode()
app = Flask(__name__)


@app.post("/")
def receive():
    body = request.get_data()  # the bytes as they came
    expected = "sha256=" + hmac.new(SECRET, body, hashlib.sha256).hexdigest()
    received = request.headers.get("X-Service-Signature", "")
    if not hmac.compare_digest(received.encode(), expected.encode()):
        return "", 401
    event = json.loads(body)
    review = event.get("review") or {}
    print(event["event"], review.get("rating"), review.get("text"), flush=True)
    return "", 204


if __name__ == "__main__":
    app.run(host="127.0.0.1", port=int(os.environ.get("PORT", "3000")))
