import { SHARE_MEMBERS } from "@/questions/automation"
import { API_PATHS, clientApiOf } from "./export-apis"
import { PYTHON_CLIENT, PYTHON_CLIENTS, PYTHON_POST } from "./python-clients"
import { PYTHON_PREDICTIONS, PYTHON_REPORT_COMMAND, pythonReport } from "./report-outcomes"
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
function clientOf({ api, parts, bands, minimums }: ExportInput): { head: string; code: string; named: string } {
  if (api === "outcomes")
    return { head: OWN_HEAD, code: PYTHON_POST + pythonReport(parts.request.questions), named: "decision" }
  const client = clientApiOf(api)
  if (!client) return { head: OWN_HEAD, code: PYTHON_CLIENT, named: "decision" }
  const { name, version, imports, code, decisionOf } = PYTHON_CLIENTS[client]
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
${api === "outcomes" ? PYTHON_REPORT_COMMAND : ""}    decision = decide(STATE)
    print(json.dumps(decision, indent=2))
${actions}${api === "outcomes" ? PYTHON_PREDICTIONS : ""}`
}
