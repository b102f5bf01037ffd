import csv
from pathlib import Path

from jev_table.cli import main

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
Path("pack.yaml").write_text(PACK)
Path("messages.csv").write_text("message\nPlease refund me.\nThank you.\n")
assert main(["messages.csv", "--spec", "pack.yaml"]) == 0
with open("messages.jev.csv") as table:
    print(" ".join(f"{float(row['refund']):.2f}" for row in csv.DictReader(table)))
