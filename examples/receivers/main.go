// Go 1.20 or newer, without modules: go run main.go
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"io"
	"log"
	"math"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

func isFromStarpost(key []byte, body []byte, headers http.Header) bool {
	sentAt := headers.Get("webhook-timestamp")
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(headers.Get("webhook-id") + "." + sentAt + "."))
	mac.Write(body)
	expected := []byte("v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	seconds, err := strconv.ParseInt(sentAt, 10, 64)
	// An older request may be a recording that was sent again.
	if err != nil || math.Abs(float64(time.Now().Unix()-seconds)) > 300 {
		return false
	}
	// There are several while a secret is being replaced.
	for _, received := range strings.Split(headers.Get("webhook-signature"), " ") {
		if hmac.Equal([]byte(received), expected) {
			return true
		}
	}
	return false
}

func main() {
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(os.Getenv("STARPOST_SECRET"), "whsec_"))
	if err != nil || len(key) == 0 {
		log.Fatal("STARPOST_SECRET is not a channel's secret")
	}
	port := os.Getenv("PORT")
	if port == "" {
		port = "3000"
	}
	http.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 2_000_000))
		if err != nil {
			w.WriteHeader(http.StatusRequestEntityTooLarge)
			return
		}
		if !isFromStarpost(key, body, r.Header) {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		// Quoted: a review may hold control characters, which would reach the terminal.
		log.Printf("%q", body)
		w.WriteHeader(http.StatusNoContent)
	})
	log.Fatal(http.ListenAndServe("127.0.0.1:"+port, nil))
}
