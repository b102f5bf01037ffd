import { PYTHON_CLIENT } from "./python"
import { BAND_TYPES, ownReadings, SLACK_TYPES } from "./test-readings"

/** Writes an early return for each type that has its own expression for this part. */
const pythonReturns = (part: Parameters<typeof ownReadings>[0]): string =>
  ownReadings(part)
    .map(({ name, python }) => `    if check["type"] == "${name}":\n        return ${python}\n`)
    .join("")

/** Needs Python 3.9 or newer. */
export const TEST_IN_PYTHON = `# Asks the questions about every row of evaluation.json and fails when the answers are worse than the accepted figures.
# Each row is billed. Needs Python 3.9 or newer, no packages. export SVC_API_KEY=svcd_…
# python3 evaluation_test.py
import json
import os
import random
import sys
import time
import urllib.error
import urllib.request
import uuid
from concurrent.futures import ThreadPoolExecutor
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
${pythonReturns("probabilities")}    return [answer["probabilities"][outcome] for outcome in check["outcomes"]]


def outcome_of(check, decision):
    """Returns the outcome that an answer stands for. For a score it is the nearest level."""
    probabilities = probabilities_of(check, decision)
${pythonReturns("outcome")}    return probabilities.index(max(probabilities))


def automatic(check, decision):
    """Returns the outcome that is acted on without a review, or None."""
    if check.get("options"):
        outcome = outcome_of(check, decision)
        start = dict(check["options"]).get(check["outcomes"][outcome])
        return outcome if start is not None and probabilities_of(check, decision)[outcome] >= start else None
    band = check["band"]
    if band is None:
        return None
    low, high = band["low"], band["high"]
    probabilities = probabilities_of(check, decision)
    if ${BAND_TYPES.map((name) => `check["type"] != "${name}"`).join(" and ")}:
        outcome = outcome_of(check, decision)
        near = 0.0
        for at, probability in enumerate(probabilities):
            if abs(at - outcome) <= slack_of(check):
                near += probability
        return outcome if high is not None and near >= high else None
    yes = probabilities[1]
    if high is not None and yes >= high:
        return 1
    return 0 if low is not None and yes < low else None


def slack_of(check):
    """Returns how far an automatic answer may be from its label without being wrong."""
${SLACK_TYPES.map(({ name, slack }) => `    if check["type"] == "${name}":\n        return ${slack}\n`).join("")}    return 0


def wrong_of(side):
    acted, wrong = side
    return wrong / acted if acted else 0


def judge(check, at, decisions):
    """Prints the figures of one question and returns whether all are as accepted."""
    rows = right = acted = wrong = distance = 0
    # The automatic answers of each outcome: no and yes, or the options.
    sides = [[0, 0] for _ in check["outcomes"]]
    for row, decision in zip(DATA["rows"], decisions):
        label = row["labels"][at]
        if label is None:
            continue
        action = automatic(check, decision)
        rows += 1
        right += outcome_of(check, decision) == label
        if action is not None:
            is_wrong = abs(action - label) > slack_of(check)
            acted += 1
            wrong += is_wrong
            sides[action][0] += 1
            sides[action][1] += is_wrong
        distance += abs(decision["answers"][check["question"]].get("score", 0) - label)
    figures = [
        ("accuracy", right / rows, check["minAccuracy"], True),
        ("automatic share", acted / rows, check["minAutomatic"], True),
        ("wrong of the automatic", wrong / acted if acted else 0, check["maxWrongOfAutomatic"], False),
        ("wrong of the automatic yes", wrong_of(sides[-1]), check.get("maxWrongOfYes"), False),
        ("wrong of the automatic no", wrong_of(sides[0]), check.get("maxWrongOfNo"), False),
        *(
            (f"wrong of the automatic {option}", wrong_of(sides[check["outcomes"].index(option)]), check.get("maxWrongOfOption"), False)
            for option, start in check.get("options") or []
            if start is not None
        ),
        ("mean error in levels", distance / rows, check["maxMeanError"], False),
    ]
    all_met = True
    for name, value, limit, is_least in figures:
        if limit is None:
            continue
        is_met = value >= limit if is_least else value <= limit
        all_met = all_met and is_met
        accepted = "from" if is_least else "up to"
        print(f"{'ok  ' if is_met else 'FAIL'} {check['question']}: {name} is {value:.4f}, accepted {accepted} {limit}")
    return all_met


if __name__ == "__main__":
    with ThreadPoolExecutor(AT_ONCE) as pool:
        decisions = list(pool.map(decide, [row["state"] for row in DATA["rows"]]))
    models = sorted({decision["model"] for decision in decisions})
    if models != [DATA["pinnedId"]]:
        print(
            f"The figures were accepted for {DATA['pinnedId']}, but {', '.join(models)} answered. Set thresholds again.",
            file=sys.stderr,
        )
    results = [judge(check, at, decisions) for at, check in enumerate(DATA["checks"])]
    sys.exit(0 if all(results) else 1)
`
