import { describe, expect, test } from "vitest"
import { EXAMPLES, exampleForm } from "@/lib/shared/request-form/examples"
import { writeRequest } from "@/lib/shared/request-form/write-request"
import { emptyQuestion } from "@/questions/question-form"
import { ANSWERED, PAUSE, REQUEST, refused, rename, stateAfter } from "@/test/playground-actions"
import { type PlaygroundAction, type PlaygroundState, reducePlayground } from "./playground-state"

const BAND = { low: 0.2, high: 0.8, model: "m-1" }

describe("runs", () => {
  test("start on the answers, and keep the last outcome in sight", () => {
    const state = stateAfter(
      { type: "tab_chosen", tab: "code" },
      { type: "run_finished", outcome: ANSWERED },
      { type: "run_started" },
    )
    expect(state).toMatchObject({ pane: "answers", tab: "answers", run: { phase: "running", last: ANSWERED } })
  })

  test("end stopped or failed", () => {
    expect(stateAfter({ type: "run_started" }, { type: "run_stopped" }).run).toEqual({ phase: "stopped" })
    expect(stateAfter({ type: "run_started" }, { type: "run_failed", reason: "timeout" }).run).toEqual({
      phase: "failed",
      reason: "timeout",
    })
  })

  test("that are refused for a field show the error there", () => {
    const state = stateAfter({ type: "run_started" }, { type: "run_finished", outcome: refused("state") })
    expect(state.pane).toBe("request")
    expect(state.request.errors).toEqual({ "state.text": "No." })
  })

  test("that are refused for the model or for no field stay on the answers", () => {
    for (const param of ["model", "other", undefined])
      expect(stateAfter({ type: "run_started" }, { type: "run_finished", outcome: refused(param) }).pane).toBe(
        "answers",
      )
  })
})

describe("the recorded answers of an example", () => {
  const [, moderation] = EXAMPLES
  if (!moderation) throw new Error("no second example")
  const chosen: PlaygroundAction = { type: "example_chosen", example: moderation }
  const opened: PlaygroundAction = { type: "draft_restored", draft: null }

  test("are shown on the first visit and for each chosen example, also after it was edited", () => {
    expect(stateAfter(opened).recordedId).toBe("support-ticket")
    const edited = stateAfter(opened, chosen, rename(0, "rude"), PAUSE)
    expect(edited.recordedId).toBe("moderation")
  })

  test("are shown for a draft that still is an example, and not for another draft", () => {
    const { form } = stateAfter(chosen, { type: "model_chosen", model: "n" }).request
    expect(stateAfter({ type: "draft_restored", draft: { form, json: null } }).recordedId).toBe("moderation")
    const other = stateAfter(chosen, rename(0, "rude")).request.form
    expect(stateAfter({ type: "draft_restored", draft: { form: other, json: null } }).recordedId).toBe(null)
  })

  test("are shown for an example that was opened from another page, until that is undone", () => {
    const text = writeRequest(exampleForm("m-1", moderation))
    const shared: PlaygroundAction = { type: "shared_request_opened", text, unknownModel: null, thresholds: new Map() }
    expect(stateAfter(opened, shared).recordedId).toBe("moderation")
    expect(stateAfter(opened, shared, { type: "notice_undone" }).recordedId).toBe(null)
  })

  test("give way to a run, to a restored answer and to another request", () => {
    const others: PlaygroundAction[] = [
      { type: "run_started" },
      { type: "answer_restored", outcome: ANSWERED, at: "2026-11-28T12:00:00.000Z" },
      { type: "run_restored", text: REQUEST },
      { type: "shared_request_opened", text: REQUEST, unknownModel: null, thresholds: new Map() },
      { type: "undone" },
    ]
    expect(others.map((other) => stateAfter(opened, chosen, other).recordedId)).toEqual([null, null, null, null, null])
  })
})

describe("tokens and thresholds", () => {
  test("a count is out of date from the first keystroke on", () => {
    const counted = { count: { input_tokens: 1 }, names: [] } as unknown as PlaygroundState["tokens"]["counted"]
    const state = stateAfter({ type: "tokens_counted", counted })
    expect(state.tokens).toEqual({ counted, isCounting: false })
    expect(reducePlayground(state, { type: "typing" }).tokens).toEqual({ counted, isCounting: true })
  })

  test("a keystroke changes nothing that the cost or the questions show", () => {
    const state = stateAfter({ type: "typing" }, PAUSE)
    const next = [{ type: "typing" } as const, PAUSE].reduce(reducePlayground, state)
    expect(next.tokens).toBe(state.tokens)
    expect(next.request.errors).toBe(state.request.errors)
    expect(next.request.settledQuestions).toBe(state.request.settledQuestions)
  })

  test("thresholds that came with a request stay when the stored ones are read after it", () => {
    const stored = { low: 0.3, high: 0.7, model: "m-1" }
    const state = stateAfter(
      {
        type: "shared_request_opened",
        text: '{"model":"m","state":"","questions":{}}',
        unknownModel: null,
        thresholds: new Map([["a", BAND]]),
      },
      {
        type: "thresholds_restored",
        thresholds: new Map([
          ["a", stored],
          ["b", stored],
        ]),
      },
    )
    expect(Object.fromEntries(state.thresholds)).toEqual({ a: BAND, b: stored })
  })

  test("a threshold belongs to a name, the last changed at the end, and can be reset", () => {
    const set = (name: string): PlaygroundAction => ({ type: "threshold_changed", name, threshold: BAND })
    const state = stateAfter(set("__proto__"), set("b"), set("__proto__"))
    expect([...state.thresholds.keys()]).toEqual(["b", "__proto__"])
    expect([
      ...reducePlayground(state, { type: "threshold_changed", name: "b", threshold: null }).thresholds.keys(),
    ]).toEqual(["__proto__"])
  })

  test("hints are about the questions at the last pause", () => {
    const added = stateAfter({ type: "question_inserted", index: 0, question: emptyQuestion("noul", "a") })
    expect(added.request.settledQuestions).toHaveLength(3)
    expect(reducePlayground(added, PAUSE).request.settledQuestions).toHaveLength(4)
  })
})
