import { QUESTION_TYPES, type QuestionTypeName } from "@/questions/question-types"

/** The code with which an exported program reports outcomes, for the types of questions that it asks. */
type Asked = readonly { type: QuestionTypeName }[]

const typesOf = (questions: Asked): { name: QuestionTypeName; typescript: string; python: string; jq: string }[] =>
  [...new Set(questions.map(({ type }) => type))].map((name) => ({
    name,
    ...QUESTION_TYPES[name].outcomes.exported.reported,
  }))

/** As many as one request takes. */
const AT_ONCE = 1_000

/** Declares `decide(state)`, `predictionsOf(decision)`, `report(outcomes)` and `reportFile(file)`, which need `post`. */
export const typescriptReport = (questions: Asked): string => `
/** Asks the questions about a state, given as JSON text. */
export async function decide(state: string): Promise<Decision> {
  const body = \`{"model":\${JSON.stringify(MODEL)},"state":\${state},"questions":\${QUESTIONS}}\`
  const { response, text } = await post("/v1/decisions", body)
  const isReplayed = response.headers.has("idempotent-replayed")
  return { ...JSON.parse(text), request_id: isReplayed ? null : response.headers.get("x-request-id") }
}

interface Answer {
  type: string
  noul?: number
  choice?: string
  score?: number
  probabilities?: { [key: string]: number }
}

/** What was predicted: numbers, and the name of the question. Store it, and add the outcome once you know it. */
export interface Prediction {
  request_id: string
  question: string
  type: string
  predicted: number | { score: number; within_one: number }
}

function predictedOf(answer: Answer): Prediction["predicted"] {
${typesOf(questions)
  .map(({ name, typescript }) => `  if (answer.type === "${name}")\n    return ${typescript}\n`)
  .join("")}  throw new Error("The answer has an unknown type.")
}

/** Returns the predictions of a decision. None without a request id. */
export function predictionsOf(decision: Decision): Prediction[] {
  const { request_id } = decision
  if (request_id === null) return []
  const answers: [string, Answer][] = Object.entries(decision.answers)
  return answers.map(([question, answer]) => ({ request_id, question, type: answer.type, predicted: predictedOf(answer) }))
}

/**
 * Reports what really happened, and returns how many outcomes were stored. "outcome" is true or false for a yes/no question, whether
 * the choice was right for a choice, and the index of the right level for a score. A repeat replaces the earlier outcome.
 */
export async function report(outcomes: (Prediction & { outcome: boolean | number })[]): Promise<number> {
  let stored = 0
  for (let at = 0; at < outcomes.length; at += ${AT_ONCE}) {
    const { text } = await post("/v1/outcomes", JSON.stringify({ outcomes: outcomes.slice(at, at + ${AT_ONCE}) }))
    stored += JSON.parse(text).stored
  }
  return stored
}

/** Reports the outcomes of a file with one per line: a prediction as this program prints it, with its "outcome". */
async function reportFile(file: string): Promise<void> {
  const lines = readFileSync(file, "utf8").split("\\n").filter((line) => line.trim() !== "")
  console.log(\`\${await report(lines.map((line) => JSON.parse(line)))} outcomes were stored.\`)
}
`

/** Declares `decide(state)`, `predictions_of(decision)`, `report(outcomes)` and `report_file(file)`, which need `post`. */
export const pythonReport = (questions: Asked): string => `

def decide(state):
    """Asks the questions about a state, given as JSON text.

    The decision has the id of its request. It is None when a retry got a stored response, which has no charge.
    """
    body = '{"model":%s,"state":%s,"questions":%s}' % (json.dumps(MODEL), state, QUESTIONS)
    decision, headers = post("/v1/decisions", body)
    return {**decision, "request_id": None if "idempotent-replayed" in headers else headers["x-request-id"]}


def predicted_of(answer):
${typesOf(questions)
  .map(({ name, python }) => `    if answer["type"] == "${name}":\n        return ${python}\n`)
  .join("")}    raise ValueError("The answer has an unknown type.")


def predictions_of(decision):
    """Returns what was predicted: numbers, and the names of the questions. None without a request id.

    Store it, and add "outcome" once you know it.
    """
    if decision["request_id"] is None:
        return []
    return [
        {"request_id": decision["request_id"], "question": name, "type": answer["type"], "predicted": predicted_of(answer)}
        for name, answer in decision["answers"].items()
    ]


def report(outcomes):
    """Reports what really happened, and returns how many outcomes were stored. A repeat replaces the earlier outcome.

    "outcome" is True or False for a yes/no question, whether the choice was right for a choice, and the index of the
    right level for a score.
    """
    stored = 0
    for at in range(0, len(outcomes), ${AT_ONCE}):
        stored += post("/v1/outcomes", json.dumps({"outcomes": outcomes[at : at + ${AT_ONCE}]}))[0]["stored"]
    return stored


def report_file(file):
    """Reports the outcomes of a file with one per line: a prediction as this program prints it, with its "outcome"."""
    with open(file, encoding="utf-8") as lines:
        stored = report([json.loads(line) for line in lines if line.strip()])
    print(f"{stored} outcomes were stored.")

`

export const PYTHON_REPORT_COMMAND = `    if sys.argv[1:2] == ["report"]:
        report_file(sys.argv[2])
        sys.exit()
`

export const PYTHON_PREDICTIONS = `    for prediction in predictions_of(decision):
        print(json.dumps(prediction))
`

/** Reports the outcomes of a file and ends, when the script is called so. Otherwise creates a file for headers. */
export const shellReportCommand = (
  quotedUrl: string,
): string => `# To report outcomes: sh decide.sh report FILE. Each of up to ${AT_ONCE} lines is a prediction as this script prints it, with its
# "outcome": true or false for a yes/no question, whether the choice was right for a choice, and the index of the right level for a score.
if [ "\${1:-}" = report ]; then
  OUTCOMES=$(jq -cs '{ outcomes: . }' "$2") || exit
  REPORTED=$(printf '%s\\n' "$OUTCOMES" | curl --silent --show-error --max-time 130 ${quotedUrl} \\
    -H "Authorization: Bearer $SVC_API_KEY" \\
    -H 'Content-Type: application/json' \\
    --data-binary @-) || exit
  printf '%s\\n' "$REPORTED"
  printf '%s\\n' "$REPORTED" | jq -e 'has("stored")' >/dev/null || exit 1
  exit 0
fi
HEADERS=$(mktemp)
trap 'rm -f "$HEADERS"' EXIT
`

/** Prints a line for each answer: what was predicted. Needs `DECISION` and the file with the headers. */
export const shellPredictions = (
  questions: Asked,
): string => `REQUEST_ID=$(tr -d '\\r' <"$HEADERS" | sed -n 's/^[Xx]-[Rr]equest-[Ii]d: //p' | tail -n 1)
printf '%s\\n' "$DECISION" | jq -c --arg id "$REQUEST_ID" '
def predicted:
  ${typesOf(questions)
    .map(({ name, jq }) => `if .type == "${name}" then (${jq})`)
    .join("\n  el")}
  else error("The answer has an unknown type.") end;
.answers | to_entries[] | { request_id: $id, question: .key, type: .value.type, predicted: (.value | predicted) }'
`
