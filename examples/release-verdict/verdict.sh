#!/usr/bin/env bash
# Asks Starpost for the verdict on a release and ends with 0 for fine, 1 for worse, 2 for undecided and 3 when there is no
# answer. Set STARPOST_URL, STARPOST_KEY, STARPOST_APP and STARPOST_VERSION; WORSE_BY (0.2) and WAIT_MINUTES (0) are optional.
set -euo pipefail
: "${STARPOST_URL:?}" "${STARPOST_KEY:?}" "${STARPOST_APP:?}" "${STARPOST_VERSION:?}"
case "$STARPOST_VERSION" in *[!A-Za-z0-9._+-]*) echo "a version has letters, digits and . _ + -" >&2; exit 3 ;; esac
url="${STARPOST_URL%/}/api/v1/releases/${STARPOST_VERSION}/verdict?app=${STARPOST_APP}&worseBy=${WORSE_BY:-0.2}"
body=$(mktemp)
trap 'rm -f "$body"' EXIT
end=$((SECONDS + ${WAIT_MINUTES:-0} * 60))
while true; do
  # The key goes through standard input, so that no list of processes shows it.
  status=$(printf 'header = "Authorization: Bearer %s"\n' "$STARPOST_KEY" |
    curl --silent --show-error --max-time 30 --config - --output "$body" --write-out '%{http_code}' "$url") || status=000
  case "$status" in
    200)
      result=$(sed -n 's/.*"result":"\([a-z]*\)".*/\1/p' "$body")
      words=$(sed -n 's/.*"words":"\([^"]*\)".*/\1/p' "$body")
      ;;
    404) result=undecided words="No review of this app names version $STARPOST_VERSION, or the app is unknown." ;;
    429 | 000 | 50?) result=unavailable words="Starpost did not answer (HTTP $status)." ;;
    *) echo "Starpost refused the request (HTTP $status)." >&2; exit 3 ;;
  esac
  if [ "$result" = fine ] || [ "$result" = worse ] || [ "$SECONDS" -ge "$end" ]; then break; fi
  sleep 300
done
echo "$result: $words"
case "$result" in fine) exit 0 ;; worse) exit 1 ;; undecided) exit 2 ;; *) exit 3 ;; esac
