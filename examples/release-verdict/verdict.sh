#!/usr/bin/env bash
# Asks Starpost for the verdict on a release and ends with 0 for fine, 1 for worse and 2 for undecided. Anything but an answer
# of Starpost about this app and version ends with 3: a gate that was set up wrongly never opens. Set STARPOST_URL (with or
# without /api/v1), STARPOST_KEY, STARPOST_APP and STARPOST_VERSION; WORSE_BY (0.2) and WAIT_MINUTES (0) are optional. A
# version that no review names ends with 3; UNKNOWN_VERSION=undecided makes it 2.
set -uo pipefail
code=3
trap 'rm -f "${body:-}"; exit "$code"' EXIT
fail() { echo "no verdict: $1" >&2; exit 3; }
for name in STARPOST_URL STARPOST_KEY STARPOST_APP STARPOST_VERSION; do
  [ -n "${!name:-}" ] || fail "$name is not set"
done
case "$STARPOST_APP$STARPOST_VERSION" in *[!A-Za-z0-9._+-]*) fail "an app's id and a version have letters, digits and . _ + -" ;; esac
case "${WAIT_MINUTES:=0}" in *[!0-9]*) fail "WAIT_MINUTES must be a whole number" ;; esac
case "${UNKNOWN_VERSION:=error}" in error | undecided) ;; *) fail "UNKNOWN_VERSION must be error or undecided" ;; esac
base="${STARPOST_URL%/}"
releases="${base%/api/v1}/api/v1/releases"
url="$releases/${STARPOST_VERSION}/verdict?app=${STARPOST_APP}&worseBy=${WORSE_BY:-0.2}"
body=$(mktemp) || fail "there is no room for a temporary file"
get() {
  # The key goes through standard input, so that no list of processes shows it.
  status=$(printf 'header = "Authorization: Bearer %s"\n' "$STARPOST_KEY" |
    curl --silent --show-error --max-time 30 --max-filesize 1000000 --config - --output "$body" --write-out '%{http_code}' "$1") || status=000
  answer=$(tr -d '\0' <"$body")
}
end=$((SECONDS + 10#$WAIT_MINUTES * 60))
while true; do
  get "$url"
  result=unavailable
  if [ "$status" = 200 ]; then
    about='{"app":{"id":"'"$STARPOST_APP"'",'
    [[ "$answer" == "$about"*'"version":"'"$STARPOST_VERSION"'",'* ]] ||
      fail "$url did not answer as Starpost does, about this app and version"
    result=$(sed -n 's/.*"result":"\([a-z]*\)".*/\1/p' "$body")
    words=$(sed -n 's/.*"words":"\([^"]*\)".*/\1/p' "$body")
  elif [[ "$status" = 404 && "$answer" == *'"detail":"No review of this app names this version."'* ]]; then
    result=unknown words="No review of this app names version $STARPOST_VERSION."
  elif [[ "$status" = 404 && "$answer" == *'"code":"app_not_found"'* ]]; then
    fail "the workspace of the key has no app $STARPOST_APP"
  elif [[ "$status" = 401 && "$answer" == *'"code":"unauthorized"'* ]]; then
    fail "Starpost refuses the key"
  elif [[ "$status" = 400 && "$answer" == *'"detail":"'* ]]; then
    fail "Starpost refuses the request: $(sed -n 's/.*"detail":"\([^"]*\)".*/\1/p' "$body")"
  elif [[ "$status" =~ ^(000|429|50.)$ ]]; then
    words="Starpost did not answer (HTTP $status)."
  else
    # Other paths and other servers answer 404 as well.
    fail "$url is not answered as by Starpost (HTTP $status)"
  fi
  if [ "$result" = fine ] || [ "$result" = worse ] || [ "$SECONDS" -ge "$end" ]; then break; fi
  sleep 300
done
if [ "$result" = unknown ]; then
  if [ "$UNKNOWN_VERSION" = error ]; then
    get "$releases?app=$STARPOST_APP"
    known=$(grep -o '"version":"[^"]*"' "$body" | cut -d'"' -f4 | head -n 10 | paste -sd' ' -)
    fail "$words Reviews name: ${known:-no version}"
  fi
  result=undecided
fi
echo "$result: $words"
case "$result" in fine) code=0 ;; worse) code=1 ;; undecided) code=2 ;; esac
