import json
from pathlib import Path

from jevcheck.cli import main

CASE = {
    "id": "refund",
    "state": "Please refund me.",
    "questions": {"refund": {"type": "noul", "instructions": "Does the customer ask for a refund?"}},
    "expect": {"refund": {"min_noul": 0.9}},
}
Path("contract.json").write_text(json.dumps({"baseline_model": "svc-lexical-baseline-1", "cases": [CASE]}))
assert main(["record", "contract.json", "--out", "recorded.json"]) == 0
answer = json.loads(Path("recorded.json").read_text())["refund"]["answers"]["refund"]
print(f"{answer['noul']:.2f}")
