import { describe, expect, test } from "vitest"
import { names, PAUSE, rename, stateAfter } from "@/test/playground-actions"
import { type PlaygroundAction, reducePlayground } from "./playground-state"

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
    const removed = stateAfter({ type: "question_removed", index: 1 }, { type: "field_left", field: "x" }, PAUSE)
    expect(names(removed)).toEqual(["wants_refund", "urgency"])
    expect(removed.request.undo?.label).toBe("Removed team")
    const undone = reducePlayground(removed, { type: "undone" })
    expect(names(undone)).toEqual(["wants_refund", "team", "urgency"])
    expect(undone.request.undo).toBeNull()
  })

  test("offer to undo a step until the next edit", () => {
    const option = { name: "x", description: { kind: "text", text: "" } } as const
    const removed: PlaygroundAction = {
      type: "question_changed",
      index: 1,
      change: (question) => ({ ...question, options: [] }),
      undo: { label: "Removed option x", change: (question) => ({ ...question, options: [option] }) },
    }
    const undone = stateAfter(removed, { type: "undone" })
    expect(undone.request.form.questions[1]).toMatchObject({ name: "team", options: [option] })
    for (const edit of [rename(1, "crew"), { type: "typing" }, { type: "question_removed", index: 0 }] as const)
      expect(stateAfter(removed, edit).request.undo?.label).not.toBe("Removed option x")
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
    const errors = [{ field: "questions.0.name", message: EMPTY_NAME }] as const
    const state = stateAfter({ type: "pane_chosen", pane: "answers" }, rename(0, ""), {
      type: "errors_found",
      errors: [...errors],
    })
    expect(state.pane).toBe("request")
    expect(state.request.errors).toEqual({ "questions.0.name": EMPTY_NAME })
    expect(reducePlayground(state, PAUSE).request.errors).toEqual({ "questions.0.name": EMPTY_NAME })
    expect(reducePlayground(state, { type: "run_started" }).request.errors).toEqual({})
  })

  test("about a repeated name appear while typing, at its later question", () => {
    expect(stateAfter(rename(1, "urgency"), PAUSE).request.errors).toEqual({
      "questions.2.name": 'Two questions are named "urgency". Rename one of them.',
    })
  })

  test("about a repeated name appear once, also after a failed attempt to run", () => {
    const state = stateAfter({ type: "errors_found", errors: [] }, rename(1, "urgency"), PAUSE)
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
