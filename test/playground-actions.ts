import type { PlaygroundAction, PlaygroundState } from "@/app/(console)/playground/model/playground-state"
import { initialPlayground, reducePlayground } from "@/app/(console)/playground/model/playground-state"
import type { Outcome } from "@/lib/shared/runs/read-outcome"

const LIMITS = { maxQuestions: 16, maxOptions: 255, maxLevels: 10 }
export const PAUSE: PlaygroundAction = { type: "typing_paused", limits: LIMITS }
export const REQUEST =
  '{"model":"n","state":"Hi","questions":{"polite":{"type":"noul","instructions":"Is it polite?"}}}'

export const stateAfter = (...actions: PlaygroundAction[]): PlaygroundState =>
  actions.reduce(reducePlayground, initialPlayground("m"))

export const names = ({ request }: PlaygroundState) => request.form.questions.map(({ name }) => name)

export const rename = (index: number, name: string): PlaygroundAction => ({
  type: "question_changed",
  index,
  change: (question) => ({ ...question, name }),
})

const outcome = (change: object) =>
  ({ exchange: { request: { questions: [] } }, requestId: "req_1", ...change }) as unknown as Outcome

export const ANSWERED = outcome({ kind: "answered", model: "m-1", tokens: 1, costUsd: null, answers: [] })
export const refused = (param?: string) =>
  outcome({ kind: "refused", refusal: { code: "invalid_request", message: "No.", param, retryAfterSeconds: null } })
