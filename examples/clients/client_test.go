// A client of the two APIs, tested against the reference image by the Go standard library alone.
//
//	docker build --target reference -t gatecheck-reference .
//	docker run --rm -p 8080:8080 gatecheck-reference        # prints the keys
//	GATECHECK_TARGET=http://127.0.0.1:8080 GATECHECK_KEYS_PRIMARY=... go test examples/clients/client_test.go
package clients

import (
	"encoding/json"
	"net/http"
	"os"
	"strings"
	"testing"
)

func call(t *testing.T, path, key string) (int, map[string]any) {
	t.Helper()
	request, err := http.NewRequest("GET", os.Getenv("GATECHECK_TARGET")+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("X-API-Key", key)
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	var body map[string]any
	if err := json.NewDecoder(answer.Body).Decode(&body); err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, body
}

func ownKey() string {
	return strings.Split(os.Getenv("GATECHECK_KEYS_PRIMARY"), ",")[0]
}

func TestListsItsRequests(t *testing.T) {
	status, body := call(t, "/extPartner/api/webcheckin/requests?limit=1", ownKey())
	if status != 200 || body["success"] != true {
		t.Fatalf("expected 200 with success; got %d %v", status, body)
	}
}

func TestHandlesAnUnknownRecord(t *testing.T) {
	status, body := call(t, "/extPartner/api/webcheckin/status?checkin_id=nobody", ownKey())
	if status != 404 || body["error"] != "NOT_FOUND" {
		t.Fatalf("expected 404 NOT_FOUND; got %d %v", status, body)
	}
}
