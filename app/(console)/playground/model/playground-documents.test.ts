import { describe, expect, test } from "vitest"
import { EXAMPLES } from "@/lib/shared/request-form/examples"
import { names, PAUSE, REQUEST, stateAfter } from "@/test/playground-actions"
import { type PlaygroundAction, reducePlayground } from "./playground-state"
import { requestText } from "./request-state"

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

  test("a pause in typing marks the faults", () => {
    const state = stateAfter(JSON_VIEW, { type: "json_edited", text: '{"a":' }, PAUSE)
    expect(state.request.json?.faults).toMatchObject([{ message: "The body is not valid JSON.", line: 1, column: 6 }])
  })

  test("a pause in typing marks what the model does not accept", () => {
    const limits = { maxQuestions: 0, maxOptions: 2, maxLevels: 2 }
    const state = stateAfter(JSON_VIEW, { type: "json_edited", text: REQUEST }, { type: "typing_paused", limits })
    expect(state.request.json?.faults).toMatchObject([
      { message: "This model takes at most 0 questions in a request.", line: 1 },
    ])
  })

  test("the text that runs is the one that is shown", () => {
    expect(requestText(stateAfter(JSON_VIEW, { type: "json_edited", text: REQUEST }).request)).toBe(REQUEST)
    expect(requestText(stateAfter({ type: "model_chosen", model: "n" }).request)).toContain('"model": "n"')
  })
})

describe("other requests", () => {
  test("an example keeps the chosen key, and undoing it keeps the model chosen since", () => {
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

  test("a shared request brings its thresholds, and undoing it restores the user's own", () => {
    const own = { low: 0.1, high: 0.9, model: "m" }
    const shared = { low: 0.4, high: 0.6, model: "m" }
    const state = stateAfter(
      { type: "threshold_changed", name: "polite", threshold: own },
      {
        type: "shared_request_opened",
        text: REQUEST,
        unknownModel: null,
        thresholds: new Map([["polite", shared]]),
      },
    )
    expect(state.thresholds.get("polite")).toEqual(shared)
    expect(reducePlayground(state, { type: "notice_undone" }).thresholds.get("polite")).toEqual(own)
  })

  test("a shared request replaces the draft, which comes back with its model", () => {
    const state = stateAfter({
      type: "shared_request_opened",
      text: REQUEST,
      unknownModel: null,
      thresholds: new Map(),
    })
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
