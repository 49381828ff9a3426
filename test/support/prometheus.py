# Reads the text format of Prometheus from stdin by the client library of Prometheus, and prints what it understood as JSON.
import json
import sys
from prometheus_client.parser import text_string_to_metric_families

print(json.dumps([
    {"name": family.name, "type": family.type, "help": family.documentation,
     "samples": [{"name": one.name, "labels": one.labels, "value": one.value} for one in family.samples]}
    for family in text_string_to_metric_families(sys.stdin.read())
]))
