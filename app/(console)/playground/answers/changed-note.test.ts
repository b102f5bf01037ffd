import { describe, expect, test } from "vitest"
import { PAUSE, REQUEST, rename, stateAfter } from "@/test/playground-actions"
import { type PlaygroundAction, type PlaygroundState, reducePlayground } from "../model/playground-state"
import { asFormWrites, isChangedSince } from "./changed-note"

describe("a request that was sent", () => {
  const opened = (text: string) => stateAfter({ type: "request_opened", text }, PAUSE)
  const changedSince = (state: PlaygroundState) => isChangedSince(state.request, asFormWrites(REQUEST))

  test("is the same after other white space and in the other view", () => {
    expect(changedSince(opened(REQUEST))).toBe(false)
    expect(changedSince(opened(REQUEST.replaceAll(":", " :\n")))).toBe(false)
    expect(changedSince(reducePlayground(opened(REQUEST), { type: "json_view_chosen" }))).toBe(false)
  })

  test("is another one after a change of its state, model or questions, and while its JSON is broken", () => {
    const changes: PlaygroundAction[] = [
      { type: "state_edited", text: "Hi!" },
      { type: "model_chosen", model: "m" },
      rename(0, "kind"),
    ]
    for (const change of changes) expect(changedSince(reducePlayground(opened(REQUEST), change))).toBe(true)
    const broken = [{ type: "json_view_chosen" } as const, { type: "json_edited", text: "{" } as const, PAUSE]
    expect(changedSince(broken.reduce(reducePlayground, opened(REQUEST)))).toBe(true)
  })
})
