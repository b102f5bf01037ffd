import { SHARE_MEMBERS } from "@/questions/automation"
import { API_PATHS } from "./export-apis"
import { PYTHON_CLIENTS } from "./python-clients"
import type { ExportInput, NamedBand, NamedMinimum } from "./request-parts"

/**
 * Writes JSON as a multi-line string, raw when possible. Escapes in the JSON reach the API as they are, because it bills the
 * source text.
 */
function literal(json: string): string {
  const text = json.replaceAll("\r", "")
  if (!text.includes("'''")) return `r'''${text}'''`
  return `'''${text.replaceAll("\\", "\\\\").replaceAll("'''", "\\'\\'\\'")}'''`
}

function thresholds(bands: NamedBand[]): string {
  if (bands.length === 0) return ""
  const entries = bands.map(
    ({ name, low, high, model }) =>
      `    ${JSON.stringify(name)}: (${low ?? "None"}, ${high ?? "None"}, ${JSON.stringify(model)}),`,
  )
  return `
# Set for one pinned model each. Probabilities of different models are not comparable. After an alias moves,
# every action is "review" until the thresholds are set again.
THRESHOLDS = {
${entries.join("\n")}
}


def action_of(decision, name):
    """Returns no below low, yes from high up, and review in between or when another model answered. None: never."""
    low, high, model = THRESHOLDS[name]
    if decision["model"] != model:
        answered = decision["model"]
        print(f"{answered} answered, but the threshold of {name} was set for {model}. Set it again.", file=sys.stderr)
        return "review"
    yes = decision["answers"][name]["${SHARE_MEMBERS.band}"]
    if high is not None and yes >= high:
        return "yes"
    return "no" if low is not None and yes < low else "review"

`
}

/** Writes a threshold as a value of Python. Only `null` differs from JSON. */
function minimumValue({ name: _, ...minimum }: NamedMinimum): string {
  const members = Object.entries(minimum).map(([member, value]) => {
    const pairs = Array.isArray(value) ? value : null
    const text = pairs
      ? `{${pairs.map(([option, from]) => `${JSON.stringify(option)}: ${from ?? "None"}`).join(", ")}}`
      : JSON.stringify(value)
    return `"${member}": ${text}`
  })
  return `{${members.join(", ")}}`
}

/** What the exported function compares, by kind of threshold. */
const MINIMUM_KINDS = [
  {
    member: "confidence",
    code: `    if "confidence" in minimum:
        share, start = answer["${SHARE_MEMBERS.floor}"], minimum["confidence"]
`,
  },
  {
    member: "probability",
    code: `    if "probability" in minimum:
        # The probability of the answer's option.
        share, start = answer["probabilities"][answer["choice"]], minimum["probability"]
`,
  },
  {
    member: "options",
    code: `    if "options" in minimum:
        # The probability of the answer's option, for each option. None: never.
        share, start = answer["probabilities"][answer["choice"]], minimum["options"].get(answer["choice"])
`,
  },
  {
    member: "within",
    code: `    if "within" in minimum:
        # The probability of the levels at most one away from the rounded score, together.
        level = int(answer["score"] // 1 + (answer["score"] % 1 >= 0.5))
        near = [answer["probabilities"].get(str(at), 0) for at in (level - 1, level, level + 1)]
        share, start = near[0] + near[1] + near[2], minimum["within"]
`,
  },
] as const

function minimumsOf(minimums: NamedMinimum[]): string {
  if (minimums.length === 0) return ""
  const kinds = MINIMUM_KINDS.filter(({ member }) => minimums.some((minimum) => member in minimum))
  return `
# Set for one pinned model each. Answers of different models are not comparable. After an alias moves,
# everything is "review" until the thresholds are set again.
MINIMUM = {
${minimums.map((minimum) => `    ${JSON.stringify(minimum.name)}: ${minimumValue(minimum)},`).join("\n")}
}


def acceptance_of(decision, name):
    """Returns review below the minimum and when another model answered, else accept."""
    minimum = MINIMUM[name]
    if decision["model"] != minimum["model"]:
        answered, model = decision["model"], minimum["model"]
        print(f"{answered} answered, but the threshold of {name} was set for {model}. Set it again.", file=sys.stderr)
        return "review"
    answer = decision["answers"][name]
${kinds.map(({ code }) => code).join("")}    return "accept" if start is not None and share >= start else "review"

`
}

/** Declares `decide(state)`, which needs `BASE_URL`, `MODEL` and `QUESTIONS`. */
export const PYTHON_CLIENT = `
class DecisionError(Exception):
    """An error from the API. Check \`code\`."""

    def __init__(self, status, code, message, request_id):
        super().__init__(f"{status} {code}: {message}")
        self.status, self.code, self.request_id = status, code, request_id


def error_of(response):
    request_id = response.headers.get("x-request-id")
    try:
        error = json.loads(response.read())["error"]
        return DecisionError(response.code, error["code"], error["message"], request_id)
    except (ValueError, KeyError, TypeError):
        code = "upstream_timeout" if response.code == 504 else "unreadable"
        return DecisionError(response.code, code, "The response is not JSON.", request_id)


def wait_seconds(response, attempt):
    """Returns Retry-After, 1 second to an hour, if present, else exponential backoff with jitter."""
    try:
        return min(3600.0, max(1.0, float(response.headers.get("retry-after", ""))))
    except (AttributeError, ValueError):
        return random.random() * 0.5 * 2**attempt


def decide(state):
    """Asks the questions about a state, given as JSON text.

    Retries 429, 500, 502, 503, 504, timeouts and lost connections. Any other error, such as 402, is raised at once.
    All attempts have one Idempotency-Key and one body, so the request is charged once.
    """
    body = '{"model":%s,"state":%s,"questions":%s}' % (json.dumps(MODEL), state, QUESTIONS)
    request = urllib.request.Request(
        BASE_URL + "/v1/decisions",
        data=body.encode(),
        headers={
            "Authorization": "Bearer " + os.environ["SVC_API_KEY"],
            "Content-Type": "application/json",
            "Idempotency-Key": str(uuid.uuid4()),
        },
    )
    for attempt in range(5):
        try:
            with urllib.request.urlopen(request, timeout=130) as response:
                return json.loads(response.read())
        except urllib.error.HTTPError as response:
            if response.code not in (429, 500, 502, 503, 504) or attempt == 4:
                raise error_of(response) from None
            time.sleep(wait_seconds(response, attempt))
        except (OSError, HTTPException):
            if attempt == 4:
                raise
            time.sleep(wait_seconds(None, attempt))
`

const OWN_HEAD = `# Run: python3 decide.py (Python 3.9 or newer, no packages). export SVC_API_KEY=svcd_…
import json
import os
import random
import sys
import time
import urllib.error
import urllib.request
import uuid
from http.client import HTTPException
`

/** Returns what differs between the programs of the APIs. */
function clientOf({ api, bands, minimums }: ExportInput): { head: string; code: string; named: string } {
  if (api === "decisions") return { head: OWN_HEAD, code: PYTHON_CLIENT, named: "decision" }
  const { name, version, imports, code, decisionOf } = PYTHON_CLIENTS[api]
  const hasActions = bands.length + minimums.length > 0
  const head = `# Run: pip install ${name}==${version} && python3 decide.py (Python 3.10 or newer). export SVC_API_KEY=svcd_…
import json
import os
${hasActions ? "import sys\n" : ""}import uuid

${imports}
`
  return decisionOf && hasActions
    ? { head, code: code + decisionOf, named: "decision_of(decision)" }
    : { head, code, named: "decision" }
}

/** Writes a Python program, which needs only the standard library for the contract's API. */
export function pythonExport(input: ExportInput): string {
  const { api, parts, bands, minimums, baseUrl } = input
  const { request, stateJson, questionsJson } = parts
  const { head, code, named } = clientOf(input)
  const actions = [
    bands.length ? `    for name in THRESHOLDS:\n        print(name, action_of(${named}, name))\n` : "",
    minimums.length ? `    for name in MINIMUM:\n        print(name, acceptance_of(${named}, name))\n` : "",
  ].join("")
  return `${head}
BASE_URL = ${JSON.stringify(baseUrl + API_PATHS[api].base)}
MODEL = ${JSON.stringify(request.model)}

# ${api === "openai" ? "The input as JSON text. To use your own text: json.dumps(text)." : "The state as JSON text. To use your own: json.dumps(state)."}
STATE = ${literal(stateJson)}

# The questions as JSON text.
QUESTIONS = ${literal(questionsJson)}

${thresholds(bands)}${minimumsOf(minimums)}${code}

if __name__ == "__main__":
    decision = decide(STATE)
    print(json.dumps(decision, indent=2))
${actions}`
}
