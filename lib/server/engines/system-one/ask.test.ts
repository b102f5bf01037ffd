import { expect, test } from "vitest"
import { jsonText, noul } from "@/test/checked-request"
import { SlotQueue } from "../slot-queue"
import { type Asking, Questioning } from "./ask"
import { CallPlaces } from "./call-places"
import { LLAMA_CPP, profileOf } from "./families"

/** Prepares calls to an engine with four slots. */
function startAsking() {
  const slots = new SlotQueue()
  slots.setSlots(4)
  const calls: string[] = []
  const asking: Asking = {
    transport: { call: async () => calls.push("sent") } as never,
    served: "decider",
    answersAs: null,
    profile: profileOf(LLAMA_CPP),
    learn: () => {},
    places: new CallPlaces(() => () => {}, false),
    slots,
    authorize: undefined,
    writing: { isStrict: false },
    isWhole: () => true,
    labelMass: () => {},
    clamped: () => {},
  }
  return { asking, calls, slots }
}

const { signal } = new AbortController()

test("a call whose body was freed before it could be written keeps no slot of the engine", async () => {
  const { asking, calls, slots } = startAsking()
  const state = jsonText("late")
  structuredClone(state.source.buffer, { transfer: [state.source.buffer as ArrayBuffer] })
  await expect(new Questioning(asking, state, signal).answers([noul("q", "Is it late?")])).rejects.toThrow(TypeError)
  expect([calls, slots.used]).toEqual([[], 0])
})

test("a call that has its slots is not sent when the caller may no longer decide, and keeps none", async () => {
  const { asking, calls, slots } = startAsking()
  const usedThen: number[] = []
  asking.authorize = async () => {
    usedThen.push(slots.used)
    throw new Error("ended")
  }
  const answers = new Questioning(asking, jsonText("late"), signal).answers([noul("q", "Is it late?")])
  await expect(answers).rejects.toThrow("ended")
  expect([usedThen, calls, slots.used]).toEqual([[1], [], 0])
})
