import type { ExportApi } from "@/lib/shared/export-code/export-apis"
import { type CodeExport, exportCode } from "@/lib/shared/export-code/export-code"
import type { Acceptance } from "@/lib/shared/export-code/export-test"
import { readTextOrJson } from "@/lib/shared/json-source/text-or-json"
import { writeRequest } from "@/lib/shared/request-form/write-request"
import type { Threshold, Thresholds } from "@/lib/shared/runs/thresholds"
import { automationOf, type CheckedQuestion } from "@/questions/question-types"
import { questionsOf, stateOf } from "../rows/read-rows"
import type { EvaluationRun } from "../run/evaluation-run"
import type { RunData } from "./judged-questions"

function thresholdOf(question: CheckedQuestion, { band, options }: Acceptance, model: string): Threshold | null {
  const automation = automationOf(question.type)
  if (options) return { options, model }
  if (!band || !automation) return null
  if (automation.kind === "band") return { ...band, model }
  if (band.high === null) return null
  return { ...automation.thresholdFrom(band.high), model }
}

/** Returns the accepted thresholds by question. Each belongs to the pinned model that answered the run. */
export function acceptedThresholds({ form, acceptances, pinnedId }: EvaluationRun): Thresholds {
  const questions = questionsOf(form)
  return new Map(
    acceptances.flatMap((acceptance) => {
      const question = questions.find(({ name }) => name === acceptance.question)
      const threshold = question ? thresholdOf(question, acceptance, pinnedId) : null
      return threshold ? [[acceptance.question, threshold] as const] : []
    }),
  )
}

/**
 * Returns a request with the run's questions and one answered row as an example. It names the model that the user chose.
 * Null without an answered row.
 */
export function exampleRequest({ set, run, rows, results }: Omit<RunData, "asked">): string | null {
  const answered = results.find(({ status }) => status === "answered")
  const row = answered && rows[answered.row]
  const state = row ? stateOf(set, run.mapping, row) : null
  return state === null ? null : writeRequest({ ...run.form, state: readTextOrJson(state, null) })
}

/**
 * Returns what makes programs for an API that ask the run's questions and act on the accepted thresholds. Null without an
 * answered row.
 */
export function codeOf(data: Omit<RunData, "asked">, baseUrl: string): ((api: ExportApi) => CodeExport[]) | null {
  const request = exampleRequest(data)
  const thresholds = acceptedThresholds(data.run)
  return request === null ? null : (api) => exportCode(request, thresholds, baseUrl, api) ?? []
}
