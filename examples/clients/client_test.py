"""A client of the two APIs, tested against the reference image by the Python standard library alone.

    docker build --target reference -t gatecheck-reference .
    docker run --rm -p 8080:8080 gatecheck-reference        # prints the keys
    GATECHECK_TARGET=http://127.0.0.1:8080 GATECHECK_KEYS_PRIMARY=... python3 examples/clients/client_test.py
"""

import json
import os
import unittest
import urllib.error
import urllib.request

TARGET = os.environ["GATECHECK_TARGET"]
KEY = os.environ["GATECHECK_KEYS_PRIMARY"].split(",")[0]


def call(path, key=KEY):
    request = urllib.request.Request(TARGET + path, headers={"X-API-Key": key})
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        return error.code, json.load(error)


class Client(unittest.TestCase):
    def test_lists_its_requests(self):
        status, body = call("/extPartner/api/webcheckin/requests?limit=1")
        self.assertEqual(status, 200)
        self.assertIs(body["success"], True)

    def test_handles_an_unknown_record(self):
        status, body = call("/extPartner/api/webcheckin/status?checkin_id=nobody")
        self.assertEqual((status, body["error"]), (404, "NOT_FOUND"))

    def test_handles_a_refused_key(self):
        self.assertEqual(call("/extPartner/api/webcheckin/requests", key="no-such-key")[0], 401)


if __name__ == "__main__":
    unittest.main()
