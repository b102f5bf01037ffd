import json
from pathlib import Path

from jevassert.cli import main

PACK = """
spec: 0
id: messages
version: 0.1.0
license: CC0-1.0
tested: null
description: Marks messages that ask for a refund.
state:
  description: A message of a customer.
  fields: [message]
questions:
  refund:
    type: noul
    instructions: "Does the customer ask for a refund?"
"""
CASE = {"id": "refund", "state": {"message": "Please refund me."}, "expect": {"refund": True}}
pack = Path("messages")
pack.mkdir()
(pack / "pack.yaml").write_text(PACK)
(pack / "cases.jsonl").write_text(json.dumps(CASE) + "\n")
assert main(["record", "messages", "-o", "recorded.jsonl"]) == 0
print(f"{json.loads(Path('recorded.jsonl').read_text())['answers']['refund']['noul']:.2f}")
