import { describe, expect, test } from "vitest"
import { EXAMPLES } from "@/lib/shared/request-form/examples"
import { emptyQuestion } from "@/lib/shared/request-form/request-form"
import type { Outcome } from "@/lib/shared/runs/read-outcome"
import { initialPlayground, type PlaygroundAction, type PlaygroundState, reducePlayground } from "./playground-state"
import { requestText } from "./request-state"

const LIMITS = { maxQuestions: 16, maxOptions: 255, maxLevels: 10 }
const PAUSE: PlaygroundAction = { type: "typing_paused", limits: LIMITS }
const BAND = { low: 0.2, high: 0.8, model: "m-1" }
const REQUEST = '{"model":"n","state":"Hi","questions":{"polite":{"type":"noul","instructions":"Is it polite?"}}}'

const stateAfter = (...actions: PlaygroundAction[]): PlaygroundState =>
  actions.reduce(reducePlayground, initialPlayground("m"))

const names = ({ request }: PlaygroundState) => request.form.questions.map(({ name }) => name)

const rename = (index: number, name: string): PlaygroundAction => ({
  type: "question_changed",
  index,
  change: (question) => ({ ...question, name }),
})

const outcome = (change: object) =>
  ({ exchange: { request: { questions: [] } }, requestId: "req_1", ...change }) as unknown as Outcome

const ANSWERED = outcome({ kind: "answered", model: "m-1", tokens: 1, costUsd: null, answers: [] })
const refused = (param?: string) =>
  outcome({ kind: "refused", refusal: { code: "invalid_request", message: "No.", param, retryAfterSeconds: null } })

describe("questions", () => {
  test("are added under a free name", () => {
    const state = stateAfter(
      { type: "question_added", questionType: "noul" },
      { type: "question_added", questionType: "score" },
    )
    expect(names(state)).toEqual(["wants_refund", "team", "urgency", "question_1", "question_2"])
    expect(state.request.questionKeys).toEqual([0, 1, 2, 3, 4])
  })

  test("are duplicated below the original under a free name", () => {
    expect(names(stateAfter({ type: "question_duplicated", index: 1 }))).toEqual([
      "wants_refund",
      "team",
      "team_2",
      "urgency",
    ])
    expect(
      names(stateAfter({ type: "question_duplicated", index: 1 }, { type: "question_duplicated", index: 2 })),
    ).toEqual(["wants_refund", "team", "team_2", "team_3", "urgency"])
  })

  test("keep their key and are announced when they move", () => {
    const state = stateAfter({ type: "question_moved", from: 0, to: 2 })
    expect(names(state)).toEqual(["team", "urgency", "wants_refund"])
    expect(state.request.questionKeys).toEqual([1, 2, 0])
    expect(state.request.announcement).toBe("wants_refund is now question 3 of 3")
  })

  test("come back where they were when their removal is undone", () => {
    const removed = stateAfter({ type: "question_removed", index: 1 }, rename(0, "refund"))
    expect(names(removed)).toEqual(["refund", "urgency"])
    expect(removed.request.undo?.label).toBe("Removed team")
    const undone = reducePlayground(removed, { type: "undone" })
    expect(names(undone)).toEqual(["refund", "team", "urgency"])
    expect(undone.request.undo).toBeNull()
  })

  test("undo a change of their own without losing a later one", () => {
    const option = { name: "x", description: { kind: "text", text: "" } } as const
    const state = stateAfter(
      {
        type: "question_changed",
        index: 1,
        change: (question) => ({ ...question, options: [] }),
        undo: { label: "Removed option x", change: (question) => ({ ...question, options: [option] }) },
      },
      rename(1, "crew"),
      { type: "undone" },
    )
    expect(state.request.form.questions[1]).toMatchObject({ name: "crew", options: [option] })
  })
})

describe("errors", () => {
  const EMPTY_NAME = "The name of a question has 1 to 64 characters: letters, digits, _ and -."

  test("appear at a field that the user has left, once typing pauses", () => {
    const left: PlaygroundAction = { type: "field_left", field: "questions.0.name" }
    expect(stateAfter(rename(0, ""), PAUSE).request.errors).toEqual({})
    expect(stateAfter(rename(0, ""), left).request.errors).toEqual({})
    expect(stateAfter(rename(0, ""), left, PAUSE).request.errors).toEqual({ "questions.0.name": EMPTY_NAME })
    expect(stateAfter(rename(0, ""), left, PAUSE, rename(0, "a"), PAUSE).request.errors).toEqual({})
  })

  test("appear at every field after a failed attempt to run, in the request pane", () => {
    const verdicts = [{ field: "questions.0.name", message: EMPTY_NAME }] as const
    const state = stateAfter({ type: "pane_chosen", pane: "answers" }, rename(0, ""), {
      type: "errors_found",
      verdicts: [...verdicts],
    })
    expect(state.pane).toBe("request")
    expect(state.request.errors).toEqual({ "questions.0.name": EMPTY_NAME })
    expect(reducePlayground(state, PAUSE).request.errors).toEqual({ "questions.0.name": EMPTY_NAME })
    expect(reducePlayground(state, { type: "run_started" }).request.errors).toEqual({})
  })

  test("say which name repeats", () => {
    const state = stateAfter({ type: "errors_found", verdicts: [] }, rename(1, "urgency"), PAUSE)
    expect(state.request.errors).toEqual({
      "questions.2.name": 'Two questions are named "urgency". Rename one of them.',
    })
  })

  test("from the server stay until the next change", () => {
    const state = stateAfter(PAUSE, { type: "param_refused", param: "questions.team.criteria", message: "No." })
    expect(state.request.errors).toEqual({ "questions.1.options.root": "No." })
    expect(reducePlayground(state, PAUSE).request.errors).toEqual({ "questions.1.options.root": "No." })
    expect([rename(0, "a"), PAUSE].reduce(reducePlayground, state).request.errors).toEqual({})
  })
})

describe("form and JSON", () => {
  const JSON_VIEW: PlaygroundAction = { type: "json_view_chosen" }

  test("JSON that was edited is in the form once it is shown again", () => {
    const state = stateAfter(JSON_VIEW, { type: "json_edited", text: REQUEST }, { type: "form_view_chosen" })
    expect(state.request.json).toBeNull()
    expect(names(state)).toEqual(["polite"])
    expect(state.request.form.model).toBe("n")
  })

  test("JSON that the form cannot show stays JSON", () => {
    const state = stateAfter(JSON_VIEW, { type: "json_edited", text: '{"a":' }, { type: "form_view_chosen" })
    expect(state.request).toMatchObject({
      isFormRefused: true,
      announcement: "The form cannot show this request",
      json: { text: '{"a":', isReadable: false },
    })
  })

  test("a pause in typing marks the fault", () => {
    const state = stateAfter(JSON_VIEW, { type: "json_edited", text: '{"a":' }, PAUSE)
    expect(state.request.json?.fault).toMatchObject({ message: "The body is not valid JSON.", line: 1, column: 6 })
  })

  test("the text that runs is the one that is shown", () => {
    expect(requestText(stateAfter(JSON_VIEW, { type: "json_edited", text: REQUEST }).request)).toBe(REQUEST)
    expect(requestText(stateAfter({ type: "model_chosen", model: "n" }).request)).toContain('"model": "n"')
  })
})

describe("other requests", () => {
  test("an example can be undone, and keeps the model and key chosen since", () => {
    const [, moderation] = EXAMPLES
    if (!moderation) throw new Error("no second example")
    const chosen = stateAfter({ type: "key_chosen", keyId: "key_1" }, { type: "example_chosen", example: moderation })
    expect(names(chosen)).toEqual(["insults_someone", "is_advertising", "action", "harm"])
    expect(chosen.request.form.keyId).toBe("key_1")
    expect(chosen.request.undo?.label).toBe("Loaded the example “Moderation”")
    const undone = [{ type: "model_chosen", model: "n" } as const, { type: "undone" } as const].reduce(
      reducePlayground,
      chosen,
    )
    expect(names(undone)).toEqual(["wants_refund", "team", "urgency"])
    expect(undone.request.form).toMatchObject({ model: "n", keyId: "key_1" })
  })

  test("a file replaces the state, and can be undone", () => {
    const state = stateAfter({ type: "state_file_read", state: { kind: "json", text: "[1]" } })
    expect(state.request.form.state).toEqual({ kind: "json", text: "[1]" })
    expect(reducePlayground(state, { type: "undone" }).request.form.state.kind).toBe("text")
  })

  test("a draft comes back with its JSON, model and key", () => {
    const { form } = stateAfter({ type: "state_edited", text: "Hello" }).request
    const draft = { form: { ...form, model: "n", keyId: "key_1" }, json: null }
    const restored = stateAfter({ type: "draft_restored", draft })
    expect(restored.isReady).toBe(true)
    expect(restored.request.form).toEqual(draft.form)
    expect(stateAfter({ type: "draft_restored", draft: { ...draft, json: "{" } }).request.json?.text).toBe("{")
  })

  test("without a draft the example is ready to run", () => {
    const state = stateAfter({ type: "draft_restored", draft: null })
    expect(state.isReady).toBe(true)
    expect(names(state)).toEqual(["wants_refund", "team", "urgency"])
  })

  test("a shared request replaces the draft, which comes back with its model", () => {
    const state = stateAfter({ type: "shared_request_opened", text: REQUEST, unknownModel: null })
    expect(names(state)).toEqual(["polite"])
    const undone = reducePlayground(state, { type: "notice_undone" })
    expect(names(undone)).toEqual(["wants_refund", "team", "urgency"])
    expect(undone.request.form.model).toBe("m")
    expect(undone.notice).toBeNull()
  })

  test("the request of an earlier run opens in the request pane and can be undone", () => {
    const state = stateAfter({ type: "pane_chosen", pane: "answers" }, { type: "run_restored", text: REQUEST })
    expect(state.pane).toBe("request")
    expect(names(state)).toEqual(["polite"])
    expect(state.request.undo?.label).toBe("Restored the request of a run")
    expect(names(reducePlayground(state, { type: "undone" }))).toEqual(["wants_refund", "team", "urgency"])
  })
})

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

describe("tokens and thresholds", () => {
  test("a count is out of date from the first key on", () => {
    const counted = { count: { input_tokens: 1 }, names: [] } as unknown as PlaygroundState["tokens"]["counted"]
    const state = stateAfter({ type: "tokens_counted", counted })
    expect(state.tokens).toEqual({ counted, isCounting: false })
    expect(reducePlayground(state, { type: "typing" }).tokens).toEqual({ counted, isCounting: true })
  })

  test("a key changes nothing that the cost or the questions show", () => {
    const state = stateAfter({ type: "typing" }, PAUSE)
    const next = [{ type: "typing" } as const, PAUSE].reduce(reducePlayground, state)
    expect(next.tokens).toBe(state.tokens)
    expect(next.request.errors).toBe(state.request.errors)
    expect(next.request.settledQuestions).toBe(state.request.settledQuestions)
  })

  test("a threshold belongs to a name, the last changed at the end, and can be reset", () => {
    const set = (name: string): PlaygroundAction => ({ type: "band_changed", name, band: BAND })
    const state = stateAfter(set("__proto__"), set("b"), set("__proto__"))
    expect([...state.bands.keys()]).toEqual(["b", "__proto__"])
    expect([...reducePlayground(state, { type: "band_changed", name: "b", band: null }).bands.keys()]).toEqual([
      "__proto__",
    ])
  })

  test("hints are about the questions at the last pause", () => {
    const added = stateAfter({ type: "question_inserted", index: 0, question: emptyQuestion("noul", "a") })
    expect(added.request.settledQuestions).toHaveLength(3)
    expect(reducePlayground(added, PAUSE).request.settledQuestions).toHaveLength(4)
  })
})
