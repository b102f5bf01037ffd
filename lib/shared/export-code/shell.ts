import { describeBand, describeMinimum } from "@/lib/shared/runs/thresholds"
import { SHARE_MEMBERS } from "@/questions/automation"
import { API_PATHS } from "./export-apis"
import { shellPredictions, shellReportCommand } from "./report-outcomes"
import type { ExportInput } from "./request-parts"

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** Prints a line for each threshold: the question and its action. Reads the decision, then the thresholds. */
const JQ_ACTIONS = `
def accepted($share; $from):
  if $from != null and ($share | type) == "number" and $share >= $from then "accept" else "review" end;
def action($answer):
  if has("confidence") then accepted($answer.${SHARE_MEMBERS.floor}; .confidence)
  elif has("probability") then accepted($answer.probabilities[$answer.choice]; .probability)
  elif has("options") then
    # The probability of the answer. Null: never.
    accepted($answer.probabilities[$answer.choice]; [.options[] | select(.[0] == $answer.choice) | .[1]][0])
  elif has("within") then
    # The levels at most one away from the rounded score, together.
    ($answer.score | round) as $level
    | (reduce ($level - 1, $level, $level + 1) as $at (0; . + ($answer.probabilities[$at | tostring] // 0))) as $near
    | accepted($near; .within)
  elif ($answer.${SHARE_MEMBERS.band} | type) != "number" then "review"
  elif .high != null and $answer.${SHARE_MEMBERS.band} >= .high then "yes"
  elif .low != null and $answer.${SHARE_MEMBERS.band} < .low then "no"
  else "review" end;
input as $decision
| input[]
| .name + " " + (if $decision.model == .model then action($decision.answers[.name]) else "review" end)
`

const JQ_WARNINGS = `
input as $decision
| input[]
| select(.model != $decision.model)
| $decision.model + " answered, but the threshold of " + .name + " was set for " + .model + ". Set it again."
`

/** Ends the script before it asks, because a decision that nothing can read is charged all the same. */
const NEEDS_JQ = `command -v jq >/dev/null || {
  echo "This script needs jq, which turns the answers into actions. Install it, for example with: apt-get install jq" >&2
  exit 1
}
`

/** Turns the list of OpenAI's answers into answers by question, as the filters below read them. */
const JQ_NAMED = `
.answers |= (map({
  (.name): (if .type == "predicate" then { noul: .probability }
    else .probabilities |= (map({ (.value | tostring): .probability }) | add) end)
}) | add)
`

const request = ({ api, parts, baseUrl }: ExportInput): string =>
  `curl --silent --show-error --max-time 130 ${quoted(baseUrl + API_PATHS[api].path)} \\
  -H "Authorization: Bearer $SVC_API_KEY" \\
  -H 'Content-Type: application/json' \\
  -H "Idempotency-Key: $IDEMPOTENCY_KEY" ${api === "outcomes" ? '--dump-header "$HEADERS" ' : ""}\\
  --data-binary @- <<'JSON'
${parts.requestText}
JSON
`

/**
 * Prints the response, then the action of each threshold. An error's response ends the script. The here-document is in a function,
 * because old shells misread quotes in one inside of `$(…)`.
 */
const withActions = (input: ExportInput): string => `ask() {
${request(input)}}
DECISION=$(ask) || exit
printf '%s\\n' "$DECISION"
printf '%s\\n' "$DECISION" | jq -e 'has("answers")' >/dev/null || exit 1
${input.api === "openai" ? `DECISION=$(printf '%s\\n' "$DECISION" | jq ${quoted(JQ_NAMED)})\n` : ""}
${input.bands.length + input.minimums.length > 0 ? actions(input) : ""}${input.api === "outcomes" ? shellPredictions(input.parts.request.questions) : ""}`

const actions = (input: ExportInput): string => `decision_and_thresholds() {
  printf '%s\\n' "$DECISION"
  cat <<'JSON'
${JSON.stringify([...input.bands, ...input.minimums])}
JSON
}
decision_and_thresholds | jq -nr ${quoted(JQ_WARNINGS)} >&2
decision_and_thresholds | jq -nr ${quoted(JQ_ACTIONS)}
`

/**
 * Writes a POSIX shell script. The body is a quoted here-document: the shell expands nothing in it, and no line of JSON can
 * end it.
 */
export function shellExport(input: ExportInput): string {
  const thresholds = [
    ...input.bands.map(({ name, model, ...band }) => `# ${name}: ${describeBand(band)} (set for ${model})\n`),
    ...input.minimums.map((minimum) => `# ${minimum.name}: ${describeMinimum(minimum)} (set for ${minimum.model})\n`),
  ]
  const reports = input.api === "outcomes"
  const needsJq = thresholds.length > 0 || reports
  return `# Run: sh decide.sh.${needsJq ? " Needs jq." : ""} export SVC_API_KEY=svcd_…
${thresholds.join("")}${needsJq ? NEEDS_JQ : ""}${reports ? shellReportCommand(quoted(`${input.baseUrl}/v1/outcomes`)) : ""}# After a lost connection, send the request again with the same key: it is charged once.
IDEMPOTENCY_KEY=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \\n')
${needsJq ? withActions(input) : request(input)}`
}
