import { countOf, formatCount } from "@/lib/shared/format"
import { shortText } from "@/lib/shared/long-runs"
import type { CheckedQuestion } from "@/questions/question-types"
import { columnValues } from "./column-values"
import { labelsIn, undecidedAnswers } from "./guess-labels"
import type { JoinedLabels } from "./join-labels"
import { outcomeNamed } from "./read-label"

const SHOWN = 10

function linesText(lines: readonly number[]): string {
  const shown = lines.slice(0, SHOWN).map(formatCount).join(", ")
  return lines.length > SHOWN
    ? `lines ${shown} and ${formatCount(lines.length - SHOWN)} more`
    : `line${lines.length === 1 ? "" : "s"} ${shown}`
}

const have = (count: number, one: string, many: string): string => (count === 1 ? one : many)

/** Returns what a join finds, and what does not match, one sentence each. */
export function joinReport(joined: JoinedLabels, question: CheckedQuestion, rowCount: number): string[] {
  const { matched, missing, empty, unused, conflicting } = joined
  return [
    `${formatCount(matched)} of ${countOf(rowCount, "row")} ${have(matched, "gets", "get")} a right answer.`,
    ...(missing.length > 0
      ? [
          `${countOf(missing.length, "row")} of this set ${have(missing.length, "has", "have")} no row in the file: ${linesText(missing)}.`,
        ]
      : []),
    ...(empty.length > 0
      ? [
          `${countOf(empty.length, "row")} of this set ${have(empty.length, "has", "have")} a row without an answer in the file: ${linesText(empty)}.`,
        ]
      : []),
    ...(unused.length > 0
      ? [
          `${countOf(unused.length, "row")} of the file ${have(unused.length, "belongs", "belong")} to no row of this set: ${linesText(unused)} of the file.`,
        ]
      : []),
    ...(conflicting.length > 0
      ? [
          `${countOf(conflicting.length, "row")} of the file have the key of another row and a different answer, so none of these answers is used: ${linesText(conflicting)} of the file.`,
        ]
      : []),
    ...unknownText(question, joined.texts),
  ]
}

/** Names the texts that are no answer of the question. Nothing while the user has to say which of two means yes. */
function unknownText(question: CheckedQuestion, texts: readonly string[]): string[] {
  const rows = texts.map((text, index) => ({ index, line: index, cells: [text] }))
  const values = columnValues({ columns: [""], source: { format: "csv", name: "" } }, rows, "")
  if (values === null) return [`The column has too many different texts to be the answers of “${question.name}”.`]
  if (undecidedAnswers(question, values)) return []
  const mapped = labelsIn(question, "", values)
  const unknown = values.filter(({ text }) => outcomeNamed(question, text, mapped) === null)
  if (unknown.length === 0) return []
  const count = unknown.reduce((sum, each) => sum + each.count, 0)
  const shown = unknown.slice(0, 3).map(({ text }) => `“${shortText(text, 40)}”`)
  const more = unknown.length > shown.length ? ` and ${formatCount(unknown.length - shown.length)} other texts` : ""
  return [
    `${countOf(count, "row")} would have a text that is no answer of “${question.name}”: ${shown.join(", ")}${more}.`,
  ]
}
