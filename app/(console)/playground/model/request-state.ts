import { formatJson, type TextOrJson } from "@/lib/shared/json-source/text-or-json"
import type { FieldError } from "@/lib/shared/request-form/check-form"
import { editQuestions, freshKeys, type QuestionsAction } from "@/lib/shared/request-form/edit-questions"
import { type Example, exampleForm } from "@/lib/shared/request-form/examples"
import { fieldOfParam } from "@/lib/shared/request-form/field-of-param"
import type { RequestForm } from "@/lib/shared/request-form/request-form"
import { writeRequest } from "@/lib/shared/request-form/write-request"
import type { ShapeLimits } from "@/questions/limits"
import type { QuestionForm } from "@/questions/question-form"
import {
  followForm,
  formatView,
  type JsonView,
  markFaults,
  markParam,
  openJson,
  type RequestSnapshot,
  readFormFrom,
  revealFaults,
} from "./json-view"
import { type FormErrors, messagesByField, visibleErrors } from "./visible-errors"

export interface RequestState {
  form: RequestForm
  questionKeys: number[]
  /** Null while the form is shown. While JSON is shown, it is the request, and the form follows when typing pauses. */
  json: JsonView | null
  /** The user asked for the form, but it cannot show the JSON. */
  isFormRefused: boolean
  /** Counts changes. Typing in a code editor counts before the editor hands over its text. */
  revision: number
  /** The revision at the last pause in typing, when errors and hints were updated. */
  settledRevision: number
  settledQuestions: QuestionForm[]
  errors: FormErrors
  leftFields: ReadonlySet<string>
  showsAllErrors: boolean
  undo: UndoStep | null
  /** For screen readers. */
  announcement: string
}

interface UndoStep {
  label: string
  action: RequestAction
}

export type RequestAction =
  | QuestionsAction
  | { type: "typing" }
  | { type: "typing_paused"; limits: ShapeLimits }
  | { type: "field_left"; field: string }
  | { type: "model_chosen"; model: string }
  | { type: "key_chosen"; keyId: string }
  | { type: "state_edited"; text: string }
  | { type: "state_kind_chosen"; kind: TextOrJson["kind"] }
  | { type: "state_formatted" }
  | { type: "state_file_read"; state: TextOrJson }
  | { type: "json_edited"; text: string }
  | { type: "json_formatted" }
  | { type: "json_view_chosen" }
  | { type: "form_view_chosen" }
  | { type: "example_chosen"; example: Example }
  /** With a `label`, an undo notice with this text appears. */
  | { type: "request_opened"; text: string; label?: string }
  | ({ type: "request_restored"; isModelRestored: boolean } & RequestSnapshot)
  | { type: "errors_found"; errors: FieldError[] }
  | { type: "error_shown"; error: FieldError }
  | { type: "errors_cleared" }
  | { type: "json_faults_searched"; limits: ShapeLimits }
  | { type: "param_refused"; param: string; message: string }
  | { type: "undone" }
  | { type: "undo_dismissed" }

export function initialRequest(model: string): RequestState {
  const form = exampleForm(model)
  return {
    form,
    questionKeys: freshKeys(form.questions),
    json: null,
    isFormRefused: false,
    revision: 0,
    settledRevision: 0,
    settledQuestions: form.questions,
    errors: {},
    leftFields: new Set(),
    showsAllErrors: false,
    undo: null,
    announcement: "",
  }
}

export const requestText = ({ json, form }: RequestState): string => json?.text ?? writeRequest(form)

export const fieldForParam = ({ json, form }: RequestState, param: string): string | null =>
  json ? "json" : fieldOfParam(form, param)

export const snapshotOf = ({ form, json }: RequestState): RequestSnapshot => ({ form, json: json?.text ?? null })

const changed = (state: RequestState, change: Partial<RequestState>): RequestState => ({
  ...state,
  ...change,
  revision: state.revision + 1,
})

const withForm = (state: RequestState, form: RequestForm, questionKeys = state.questionKeys): RequestState =>
  changed(state, { form, questionKeys, json: state.json && followForm(state.json, form) })

const withOtherForm = (state: RequestState, form: RequestForm): RequestState =>
  withForm(state, form, freshKeys(form.questions, state.questionKeys))

const withState = (state: RequestState, value: Partial<TextOrJson>): RequestState =>
  withForm(state, { ...state.form, state: { ...state.form.state, ...value } })

const undoTo = (state: RequestState, label: string, isModelRestored = false): UndoStep => ({
  label,
  action: { type: "request_restored", isModelRestored, ...snapshotOf(state) },
})

function readJson(state: RequestState): RequestState {
  if (!state.json) return state
  const { json, form } = readFormFrom(state.json, state.form)
  const questionKeys = form === state.form ? state.questionKeys : freshKeys(form.questions, state.questionKeys)
  return { ...state, json, form, questionKeys }
}

function settle(before: RequestState, limits: ShapeLimits): RequestState {
  if (before.settledRevision === before.revision) return before
  const state = readJson(before)
  const { form, json, revision } = state
  const errors = visibleErrors(form, limits, state)
  return {
    ...state,
    json: json && markFaults(json, limits),
    settledRevision: revision,
    settledQuestions: form.questions,
    // Keeping the same object avoids rendering every question again.
    errors: JSON.stringify(errors) === JSON.stringify(state.errors) ? state.errors : errors,
  }
}

function showForm(before: RequestState): RequestState {
  const state = readJson(before)
  const announcement = "The form cannot show this request"
  if (state.json && !state.json.isReadable)
    return { ...state, json: revealFaults(state.json), isFormRefused: true, announcement }
  return changed(state, { json: null, isFormRefused: false, announcement: "" })
}

function restore(state: RequestState, { form, json }: RequestSnapshot, isModelRestored: boolean): RequestState {
  const { model, keyId } = state.form
  const next = withOtherForm(state, { ...form, keyId, model: isModelRestored ? form.model : model })
  return json === null ? next : { ...next, json: openJson(next.form, json) }
}

function openRequest(state: RequestState, text: string, label: string | undefined): RequestState {
  const undo = label === undefined ? state.undo : undoTo(state, label, true)
  const { json, form } = readFormFrom(openJson(state.form, text), state.form)
  if (state.json || !json.isReadable) return changed(state, { json: openJson(state.form, text), undo })
  return { ...withOtherForm(state, form), undo }
}

function edit(state: RequestState, action: QuestionsAction): RequestState {
  const { form, questionKeys } = state
  const edited = editQuestions({ questions: form.questions, keys: questionKeys }, action)
  return {
    ...withForm(state, { ...form, questions: edited.questions }, edited.keys),
    undo: edited.undo ?? state.undo,
    announcement: edited.announcement ?? state.announcement,
  }
}

type Reducers = {
  [Type in Exclude<RequestAction["type"], QuestionsAction["type"]>]: (
    state: RequestState,
    action: Extract<RequestAction, { type: Type }>,
  ) => RequestState
}

const REDUCERS: Reducers = {
  typing: (state) => changed(state, {}),
  typing_paused: (state, { limits }) => settle(state, limits),
  field_left: (state, { field }) =>
    state.leftFields.has(field) ? state : changed(state, { leftFields: new Set(state.leftFields).add(field) }),

  model_chosen: (state, { model }) => withForm(state, { ...state.form, model }),
  key_chosen: (state, { keyId }) => withForm(state, { ...state.form, keyId }),

  state_edited: (state, { text }) => withState(state, { text }),
  state_kind_chosen: (state, { kind }) => withState(state, { kind }),
  state_formatted: (state) => ({
    ...withState(state, { text: formatJson(state.form.state.text) }),
    announcement: "Formatted",
  }),
  state_file_read: (state, action) => ({
    ...withForm(state, { ...state.form, state: action.state }),
    undo: undoTo(state, "Replaced the state"),
  }),

  json_edited: (state, { text }) => changed(state, { json: state.json && { ...state.json, text } }),
  json_formatted(state) {
    const json = state.json && formatView(state.json)
    return json === state.json ? state : changed(state, { json, announcement: "Formatted" })
  },
  json_view_chosen: (state) => changed(state, { json: openJson(state.form), isFormRefused: false, announcement: "" }),
  form_view_chosen: (state) => showForm(state),
  json_faults_searched: (state, { limits }) => ({ ...state, json: state.json && revealFaults(state.json, limits) }),

  example_chosen(state, { example }) {
    const { model, keyId } = state.form
    const undo = undoTo(state, `Loaded the example “${example.title}”`)
    return { ...withOtherForm(state, { ...exampleForm(model, example), keyId }), undo }
  },
  request_opened: (state, { text, label }) => openRequest(state, text, label),
  request_restored: (state, action) => restore(state, action, action.isModelRestored),

  errors_found: (state, { errors }) => ({ ...state, errors: messagesByField(errors), showsAllErrors: true }),
  error_shown: (state, { error }) => ({ ...state, errors: { ...state.errors, ...messagesByField([error]) } }),
  errors_cleared: (state) => ({ ...state, errors: {}, showsAllErrors: false }),
  param_refused(state, { param, message }) {
    if (state.json) return { ...state, json: markParam(state.json, param, message) }
    const field = fieldOfParam(state.form, param) ?? "state.text"
    return { ...state, errors: { ...state.errors, [field]: message } }
  },

  undone: (state) => (state.undo ? { ...reduceRequest(state, state.undo.action), undo: null } : state),
  undo_dismissed: (state) => ({ ...state, undo: null }),
}

const isOwnAction = (action: RequestAction): action is Exclude<RequestAction, QuestionsAction> =>
  Object.hasOwn(REDUCERS, action.type)

function apply(state: RequestState, action: RequestAction): RequestState {
  if (!isOwnAction(action)) return edit(state, action)
  const reduce = REDUCERS[action.type] as (state: RequestState, action: RequestAction) => RequestState
  return reduce(state, action)
}

/** Changes outside the state and the questions: what was done before can still be undone. */
const KEEPS_UNDO = ["field_left", "form_view_chosen", "model_chosen", "key_chosen"]

/** An undo step ends with the next edit. */
export function reduceRequest(state: RequestState, action: RequestAction): RequestState {
  const next = apply(state, action)
  const isEdited = next.revision !== state.revision && !KEEPS_UNDO.includes(action.type)
  return isEdited && next.undo === state.undo ? { ...next, undo: null } : next
}
