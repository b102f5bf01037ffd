import json
import sys
from pathlib import Path

from jevlint.console.application import main

QUESTION = {
    "type": "choice",
    "instructions": "What is the message about?",
    "criteria": {"refund": "The customer asks for money back.", "delivery": "A parcel is late or lost."},
}
Path("query.json").write_text(json.dumps({"state": "Please refund me.", "questions": {"topic": QUESTION}}))
sys.argv = ["jevlint", "check", "query.json", "--openrouter"]
main()
