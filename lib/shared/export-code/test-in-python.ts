import { PYTHON_JUDGE } from "./judge-in-python"
import { PYTHON_CLIENT } from "./python-clients"
import { ownReadings } from "./test-readings"
import { VERIFY_IN_PYTHON } from "./verify-in-python"

/** Writes an early return for each type that has its own expression for its probabilities. */
const pythonReturns = (): string =>
  ownReadings("probabilities")
    .map(({ name, python }) => `    if check["type"] == "${name}":\n        return ${python}\n`)
    .join("")

/** Needs Python 3.9 or newer. */
export const TEST_IN_PYTHON = `# Asks the questions about every row of evaluation.json and fails when the answers are worse than the accepted ones.
# Each row is billed. Needs Python 3.9 or newer, no packages. export SVC_API_KEY=svcd_…
# python3 evaluation_test.py
# Another model fails. To judge its answers: ALLOW_OTHER_MODEL=1 python3 evaluation_test.py
# To check a sign-off record, without any request that is billed: python3 evaluation_test.py verify RECORD.json
import base64
import hashlib
import json
import math
import os
import random
import re
import sys
import time
import urllib.error
import urllib.request
import uuid
from concurrent.futures import ThreadPoolExecutor
from decimal import ROUND_HALF_UP, Decimal
from http.client import HTTPException
from pathlib import Path

DATA = json.loads(Path(__file__).with_name("evaluation.json").read_text(encoding="utf-8"))
BASE_URL = DATA["baseUrl"]
MODEL = DATA["model"]
QUESTIONS = DATA["questions"]
AT_ONCE = 4

${PYTHON_CLIENT}

def probabilities_of(check, decision):
    """Returns one probability per outcome."""
    answer = decision["answers"][check["question"]]
${pythonReturns()}    return [answer["probabilities"][outcome] for outcome in check["outcomes"]]

${PYTHON_JUDGE}
${VERIFY_IN_PYTHON}

def is_accepted_model(decisions):
    """Returns whether the accepted model answered, or another one is allowed."""
    others = sorted({decision["model"] for decision in decisions} - {DATA["pinnedId"]})
    if not others:
        return True
    is_allowed = os.environ.get("ALLOW_OTHER_MODEL") == "1"
    advice = "Set thresholds again." if is_allowed else "Set thresholds again, or set ALLOW_OTHER_MODEL=1 to judge its answers."
    answered = ", ".join(others)
    print(f"{'warn' if is_allowed else 'FAIL'} The answers were accepted from {DATA['pinnedId']}, but {answered} answered. {advice}")
    return is_allowed


def test():
    with ThreadPoolExecutor(AT_ONCE) as pool:
        decisions = list(pool.map(decide, [row["state"] for row in DATA["rows"]]))
    answers_of = [[probabilities_of(check, decision) for decision in decisions] for check in DATA["checks"]]
    for at, check in enumerate(DATA["checks"]):
        list_changes(check, at, answers_of[at])
    met = [is_accepted_model(decisions)]
    met += [judge(check, at, answers_of[at]) for at, check in enumerate(DATA["checks"])]
    return all(met)


if __name__ == "__main__":
    is_verify = sys.argv[1:2] == ["verify"]
    is_met = verify_record(sys.argv[2] if len(sys.argv) > 2 else "evaluation.signoff.json") if is_verify else test()
    sys.exit(0 if is_met else 1)
`
