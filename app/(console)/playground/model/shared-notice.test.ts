import { afterEach, expect, test, vi } from "vitest"
import type { RunAccount } from "@/lib/shared/runs/model-choice"
import { names, REQUEST, stateAfter } from "@/test/playground-actions"
import { type PlaygroundAction, reducePlayground, sharedOf } from "./playground-state"
import { restoreStored } from "./restore-stored"
import { readSharedNotice, storeSharedNotice } from "./shared-notice"

const ACCOUNT = { accountId: "acc_1", models: [{ id: "m" }], keys: [] } as unknown as RunAccount
const OWN = { low: 0.1, high: 0.9, model: "m" }
const open = (text: string): PlaygroundAction => ({
  type: "shared_request_opened",
  text,
  unknownModel: "gone",
  thresholds: new Map(),
})
const typed = (text: string): PlaygroundAction => ({ type: "state_edited", text })
const OTHER = REQUEST.replace("polite", "rude")

function stubStorage() {
  const items = new Map<string, string>()
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => items.set(key, value),
    removeItem: (key: string) => items.delete(key),
  })
  return items
}

afterEach(() => {
  vi.unstubAllGlobals()
})

/** Returns the state of a page that opens with what the browser stores. */
function stateAfterReload() {
  const actions: PlaygroundAction[] = []
  restoreStored(ACCOUNT, (action) => actions.push(action))
  return stateAfter(...actions)
}

test("the draft that a shared request replaced comes back after a reload", () => {
  stubStorage()
  const before = stateAfter(
    typed("My draft"),
    { type: "threshold_changed", name: "team", threshold: OWN },
    open(REQUEST),
  )
  storeSharedNotice("acc_1", sharedOf(before.notice))
  const reloaded = stateAfterReload()
  expect(reloaded.notice).toMatchObject({ kind: "shared", unknownModel: "gone" })
  const undone = reducePlayground(reloaded, { type: "notice_undone" })
  expect(undone.request.form.state.text).toBe("My draft")
  expect(undone.thresholds).toEqual(new Map([["team", OWN]]))
})

test("a closed notice is not stored", () => {
  const items = stubStorage()
  const opened = stateAfter(open(REQUEST))
  storeSharedNotice("acc_1", sharedOf(opened.notice))
  expect(items.size).toBe(1)
  storeSharedNotice("acc_1", sharedOf(reducePlayground(opened, { type: "notice_closed" }).notice))
  expect(items.size).toBe(0)
})

test.each([
  ["another version", '{"kind":"shared","undo":{}}'],
  ["no object", '"shared"'],
])("a stored notice of %s is ignored", (_what, text) => {
  stubStorage().set("playground-replaced:acc_1", text)
  expect(readSharedNotice(ACCOUNT)).toBeNull()
})

test("a second shared request still brings back the user's own draft", () => {
  const state = stateAfter(typed("My draft"), open(REQUEST), open(OTHER))
  expect(names(state)).toEqual(["rude"])
  expect(reducePlayground(state, { type: "notice_undone" }).request.form.state.text).toBe("My draft")
})

test("a shared request that was edited is a draft of its own", () => {
  const state = stateAfter(typed("My draft"), open(REQUEST), typed("Edited"), open(OTHER))
  const undone = reducePlayground(state, { type: "notice_undone" })
  expect(names(undone)).toEqual(["polite"])
  expect(undone.request.form.state.text).toBe("Edited")
})

test("closing the notice of a top-up shows the one of the shared request again", () => {
  const state = stateAfter(typed("My draft"), open(REQUEST), { type: "topped_up" })
  expect(sharedOf(state.notice)?.draft.form.state.text).toBe("My draft")
  expect(reducePlayground(state, { type: "notice_closed" }).notice?.kind).toBe("shared")
  expect(stateAfter({ type: "topped_up" }, { type: "notice_closed" }).notice).toBeNull()
})
