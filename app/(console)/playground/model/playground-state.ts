import { findExample } from "@/lib/shared/request-form/find-example"
import type { Outcome } from "@/lib/shared/runs/read-outcome"
import type { TokenCount } from "@/lib/shared/runs/run-cost"
import type { Threshold, Thresholds } from "@/lib/shared/runs/thresholds"
import type { Draft } from "./draft"
import {
  fieldForParam,
  initialRequest,
  type RequestAction,
  type RequestState,
  reduceRequest,
  requestText,
  snapshotOf,
} from "./request-state"
import type { SharedNotice } from "./shared-notice"

export type Run =
  | { phase: "idle" }
  | { phase: "stopped" }
  /** No response arrived, so the request may or may not have been answered. */
  | { phase: "failed"; reason: RunFailure }
  | { phase: "running"; last: Outcome | null }
  /** `at` is when the run was stored (ISO 8601), for an answer that was restored after a reload. */
  | { phase: "done"; outcome: Outcome; at?: string }

export type RunFailure = "offline" | "unreachable" | "timeout"

export interface CountedTokens {
  count: TokenCount
  names: string[]
}

/** Closing the notice of a top-up shows the one from before. */
export type Notice = SharedNotice | { kind: "topped_up"; before: SharedNotice | null }

export const sharedOf = (notice: Notice | null): SharedNotice | null =>
  notice?.kind === "topped_up" ? notice.before : notice

export type Pane = "request" | "answers"
export type AnswersTab = "answers" | "code" | "history"

export interface PlaygroundState {
  request: RequestState
  /** False until the draft is restored. The request cannot be edited before that. */
  isReady: boolean
  /** False when storage is blocked or has no room for the draft. */
  isDraftSaved: boolean
  pane: Pane
  tab: AnswersTab
  run: Run
  /** The id of the example whose recorded answers are shown. Null once a run's outcome is shown. */
  recordedId: string | null
  /** Counts the runs that this page stored in the history. */
  storedRuns: number
  tokens: { counted: CountedTokens | null; isCounting: boolean }
  thresholds: Thresholds
  notice: Notice | null
}

export type PlaygroundAction =
  | RequestAction
  | { type: "draft_restored"; draft: Draft | null }
  | { type: "draft_saved"; isSaved: boolean }
  | { type: "pane_chosen"; pane: Pane }
  | { type: "tab_chosen"; tab: AnswersTab }
  | { type: "run_started" }
  | { type: "run_finished"; outcome: Outcome }
  | { type: "run_stored" }
  | { type: "answer_restored"; outcome: Outcome; at: string }
  | { type: "run_failed"; reason: RunFailure }
  | { type: "run_stopped" }
  | { type: "run_restored"; text: string }
  | { type: "counting_started" }
  | { type: "tokens_counted"; counted: CountedTokens | null }
  | { type: "thresholds_restored"; thresholds: Thresholds }
  /** Null resets the question to the default threshold. */
  | { type: "threshold_changed"; name: string; threshold: Threshold | null }
  | { type: "shared_request_opened"; text: string; unknownModel: string | null; thresholds: Thresholds }
  | { type: "topped_up" }
  | { type: "notice_restored"; notice: SharedNotice | null }
  | { type: "notice_closed" }
  | { type: "notice_undone" }

export const initialPlayground = (model: string): PlaygroundState => ({
  request: initialRequest(model),
  isReady: false,
  isDraftSaved: true,
  pane: "request",
  tab: "answers",
  run: { phase: "idle" },
  recordedId: null,
  storedRuns: 0,
  tokens: { counted: null, isCounting: true },
  thresholds: new Map(),
  notice: null,
})

/** Returns the same object when nothing changes, so that typing does not render the cost again. */
const outdated = (tokens: PlaygroundState["tokens"]) => (tokens.isCounting ? tokens : { ...tokens, isCounting: true })

function withRequest(state: PlaygroundState, action: RequestAction): PlaygroundState {
  const request = reduceRequest(state.request, action)
  if (request === state.request) return state
  const isChanged = request.revision !== state.request.revision
  return { ...state, request, tokens: isChanged ? outdated(state.tokens) : state.tokens }
}

const exampleIdOf = ({ form, json }: RequestState): string | null =>
  json === null ? (findExample(form)?.id ?? null) : null

function restoreDraft(state: PlaygroundState, draft: Draft | null): PlaygroundState {
  const restored = draft ? withRequest(state, { type: "request_restored", isModelRestored: true, ...draft }) : state
  const keyId = draft?.form.keyId ?? ""
  const recordedId = state.run.phase === "idle" ? exampleIdOf(restored.request) : null
  return { ...withRequest(restored, { type: "key_chosen", keyId }), isReady: true, recordedId }
}

/** Shows an error at its field and opens the request pane. The model select is visible beside both panes. */
function refuseParam(state: PlaygroundState, param: string, message: string): PlaygroundState {
  const pane = fieldForParam(state.request, param) === "model" ? state.pane : "request"
  return { ...withRequest(state, { type: "param_refused", param, message }), pane }
}

function finishRun(state: PlaygroundState, outcome: Outcome): PlaygroundState {
  const done: PlaygroundState = { ...state, run: { phase: "done", outcome } }
  if (outcome.kind === "answered" || outcome.refusal.param === undefined) return done
  const { param, message } = outcome.refusal
  return fieldForParam(state.request, param) === null ? done : refuseParam(done, param, message)
}

/** Remembers the draft that the shared request replaces, unless that is another shared request that was not edited. */
function openShared(
  state: PlaygroundState,
  { text, unknownModel, thresholds }: Extract<PlaygroundAction, { type: "shared_request_opened" }>,
): PlaygroundState {
  const before = sharedOf(state.notice)
  const isUnedited = before !== null && before.openedText === requestText(state.request)
  const undo = isUnedited ? before : { draft: snapshotOf(state.request), thresholds: state.thresholds }
  const opened = withRequest(state, { type: "request_opened", text })
  const notice: Notice = {
    kind: "shared",
    unknownModel,
    openedText: requestText(opened.request),
    draft: undo.draft,
    thresholds: undo.thresholds,
  }
  return {
    ...opened,
    recordedId: exampleIdOf(opened.request),
    thresholds: new Map([...state.thresholds, ...thresholds]),
    notice,
  }
}

function restoreShared(state: PlaygroundState): PlaygroundState {
  const shared = sharedOf(state.notice)
  if (!shared) return { ...state, notice: null }
  const restored = withRequest(state, { type: "request_restored", isModelRestored: true, ...shared.draft })
  return { ...restored, recordedId: null, thresholds: shared.thresholds, notice: null }
}

function changeThreshold(thresholds: Thresholds, name: string, threshold: Threshold | null): Thresholds {
  const after = new Map(thresholds)
  after.delete(name)
  return threshold ? after.set(name, threshold) : after
}

export function reducePlayground(state: PlaygroundState, action: PlaygroundAction): PlaygroundState {
  switch (action.type) {
    case "example_chosen":
      return { ...withRequest(state, action), recordedId: action.example.id }
    case "undone": {
      const isOtherRequest = state.request.undo?.action.type === "request_restored"
      return { ...withRequest(state, action), recordedId: isOtherRequest ? null : state.recordedId }
    }
    case "draft_restored":
      return restoreDraft(state, action.draft)
    case "draft_saved":
      return state.isDraftSaved === action.isSaved ? state : { ...state, isDraftSaved: action.isSaved }
    case "pane_chosen":
      return { ...state, pane: action.pane }
    case "tab_chosen":
      return { ...state, tab: action.tab }
    case "run_started": {
      const last = state.run.phase === "done" ? state.run.outcome : null
      const cleared = withRequest(state, { type: "errors_cleared" })
      return { ...cleared, run: { phase: "running", last }, recordedId: null, pane: "answers", tab: "answers" }
    }
    case "run_finished":
      return finishRun(state, action.outcome)
    case "run_stored":
      return { ...state, storedRuns: state.storedRuns + 1 }
    case "answer_restored":
      return state.run.phase === "idle"
        ? { ...state, run: { phase: "done", outcome: action.outcome, at: action.at }, recordedId: null }
        : state
    case "run_failed":
      return { ...state, run: { phase: "failed", reason: action.reason } }
    case "run_stopped":
      return { ...state, run: { phase: "stopped" } }
    case "run_restored": {
      const label = "Restored the request of a run"
      const opened = withRequest(state, { type: "request_opened", text: action.text, label })
      return { ...opened, recordedId: null, pane: "request" }
    }
    case "counting_started":
      return { ...state, tokens: outdated(state.tokens) }
    case "tokens_counted":
      return { ...state, tokens: { counted: action.counted, isCounting: false } }
    case "thresholds_restored":
      // A request that was handed over may have brought thresholds before the stored ones are read.
      return { ...state, thresholds: new Map([...action.thresholds, ...state.thresholds]) }
    case "threshold_changed":
      return { ...state, thresholds: changeThreshold(state.thresholds, action.name, action.threshold) }
    case "shared_request_opened":
      return openShared(state, action)
    case "topped_up":
      return { ...state, notice: { kind: "topped_up", before: sharedOf(state.notice) } }
    case "notice_restored":
      return { ...state, notice: action.notice }
    case "notice_closed":
      return { ...state, notice: state.notice?.kind === "topped_up" ? state.notice.before : null }
    case "notice_undone":
      return restoreShared(state)
    case "param_refused":
      return refuseParam(state, action.param, action.message)
    case "errors_found":
    case "json_faults_searched":
      return { ...withRequest(state, action), pane: "request" }
    default:
      return withRequest(state, action)
  }
}
