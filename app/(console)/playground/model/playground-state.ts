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
  snapshotOf,
} from "./request-state"

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

export type Notice =
  | { kind: "topped_up" }
  /**
   * `unknownModel` is not available here, so the first model was chosen. `undo` brings the draft back, `thresholds` are those
   * from before.
   */
  | { kind: "shared"; unknownModel: string | null; undo: RequestAction; thresholds: Thresholds }

export type Pane = "request" | "answers"
export type AnswersTab = "answers" | "code" | "history"

export interface PlaygroundState {
  request: RequestState
  /** False until the draft is restored. The request cannot be edited before that. */
  isReady: boolean
  /** False when the browser has no room for the draft. */
  isDraftSaved: boolean
  pane: Pane
  tab: AnswersTab
  run: Run
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
  | { type: "notice_closed" }
  | { type: "notice_undone" }

export const initialPlayground = (model: string): PlaygroundState => ({
  request: initialRequest(model),
  isReady: false,
  isDraftSaved: true,
  pane: "request",
  tab: "answers",
  run: { phase: "idle" },
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

function restoreDraft(state: PlaygroundState, draft: Draft | null): PlaygroundState {
  const restored = draft ? withRequest(state, { type: "request_restored", isModelRestored: true, ...draft }) : state
  const keyId = draft?.form.keyId ?? ""
  return { ...withRequest(restored, { type: "key_chosen", keyId }), isReady: true }
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

function changeThreshold(thresholds: Thresholds, name: string, threshold: Threshold | null): Thresholds {
  const after = new Map(thresholds)
  after.delete(name)
  return threshold ? after.set(name, threshold) : after
}

export function reducePlayground(state: PlaygroundState, action: PlaygroundAction): PlaygroundState {
  switch (action.type) {
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
      return { ...cleared, run: { phase: "running", last }, pane: "answers", tab: "answers" }
    }
    case "run_finished":
      return finishRun(state, action.outcome)
    case "run_stored":
      return { ...state, storedRuns: state.storedRuns + 1 }
    case "answer_restored":
      return state.run.phase === "idle"
        ? { ...state, run: { phase: "done", outcome: action.outcome, at: action.at } }
        : state
    case "run_failed":
      return { ...state, run: { phase: "failed", reason: action.reason } }
    case "run_stopped":
      return { ...state, run: { phase: "stopped" } }
    case "run_restored": {
      const label = "Restored the request of a run"
      return { ...withRequest(state, { type: "request_opened", text: action.text, label }), pane: "request" }
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
    case "shared_request_opened": {
      const undo: RequestAction = { type: "request_restored", isModelRestored: true, ...snapshotOf(state.request) }
      const opened = withRequest(state, { type: "request_opened", text: action.text })
      const notice: Notice = { kind: "shared", unknownModel: action.unknownModel, undo, thresholds: state.thresholds }
      return { ...opened, thresholds: new Map([...state.thresholds, ...action.thresholds]), notice }
    }
    case "topped_up":
      return { ...state, notice: { kind: "topped_up" } }
    case "notice_closed":
      return { ...state, notice: null }
    case "notice_undone": {
      const { notice } = state
      if (notice?.kind !== "shared") return { ...state, notice: null }
      return { ...withRequest(state, notice.undo), thresholds: notice.thresholds, notice: null }
    }
    case "param_refused":
      return refuseParam(state, action.param, action.message)
    case "errors_found":
    case "json_fault_searched":
      return { ...withRequest(state, action), pane: "request" }
    default:
      return withRequest(state, action)
  }
}
