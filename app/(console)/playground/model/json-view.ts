import { formatJson } from "@/lib/shared/json-source/text-or-json"
import { type Fault, faultOfJson, faultOfParam, faultsOfRequest } from "@/lib/shared/request-form/find-fault"
import { readForm } from "@/lib/shared/request-form/read-form"
import type { RequestForm } from "@/lib/shared/request-form/request-form"
import { replaceModel, writeRequest } from "@/lib/shared/request-form/write-request"
import type { ModelChoice } from "@/lib/shared/runs/model-choice"
import type { ShapeLimits } from "@/questions/limits"

export interface JsonView {
  text: string
  /** The last text that was read into the form or written from it; null before either. */
  readText: string | null
  /** What the form writes as JSON. */
  written: string
  isReadable: boolean
  /** In the order of the API's checks. */
  faults: readonly Fault[]
  /** Counts how often the user asked for something that the faults prevent. The editor then shows the first one. */
  reveals: number
}

/** A request to return to: its form, and the JSON text if that was shown. */
export interface RequestSnapshot {
  form: RequestForm
  json: string | null
}

/** Returns a JSON view of `text`, which the form has not read yet. Without `text`, it shows what the form writes. */
export function openJson(form: RequestForm, text?: string): JsonView {
  const written = writeRequest(form)
  const shown = text ?? written
  return {
    text: shown,
    readText: text === undefined ? written : null,
    written,
    isReadable: true,
    faults: faultsOfRequest(shown),
    reveals: 0,
  }
}

/** Updates the text after the form changed. When only the model changed, the text keeps its spelling. */
export function followForm(json: JsonView, form: RequestForm): JsonView {
  const written = writeRequest(form)
  if (written === json.written) return json
  const isOnlyModel = json.text === json.readText && replaceModel(json.written, form.model) === written
  const text = isOnlyModel ? replaceModel(json.text, form.model) : written
  return { ...json, text, readText: text, written, isReadable: true }
}

/** Reads the text into the form. Returns the form unchanged when the text did not change or cannot be shown in a form. */
export function readFormFrom(json: JsonView, form: RequestForm): { json: JsonView; form: RequestForm } {
  if (json.text === json.readText) return { json, form }
  const result = readForm(json.text, form.keyId)
  if (!result.ok) return { json: { ...json, isReadable: false }, form }
  const written = writeRequest(result.form)
  return { json: { ...json, readText: json.text, written, isReadable: true }, form: result.form }
}

export const formatView = (json: JsonView): JsonView =>
  faultOfJson(json.text) ? json : { ...json, text: formatJson(json.text) }

export const markFaults = (json: JsonView, limits?: ShapeLimits): JsonView => ({
  ...json,
  faults: faultsOfRequest(json.text, limits),
})

/** Marks the faults again and has the editor show the first one. */
export const revealFaults = (json: JsonView, limits?: ShapeLimits): JsonView => ({
  ...markFaults(json, limits),
  reveals: json.reveals + 1,
})

/** Marks the value that an error's `param` names, or the syntax error when the text is no longer valid JSON. */
export const markParam = (json: JsonView, param: string, message: string): JsonView => ({
  ...json,
  faults: [faultOfJson(json.text) ?? faultOfParam(json.text, param, message)],
})

/** Replaces a model that is unknown here with the first known one. `unknownModel` is the replaced name, or null. */
export function withKnownModel(text: string, model: string, models: ModelChoice[]) {
  const isKnown = models.some(({ id }) => id === model)
  return { text: isKnown ? text : replaceModel(text, models[0]?.id ?? ""), unknownModel: isKnown ? null : model }
}
