import { expect, test } from "vitest"
import { jsonText, noul } from "@/test/checked-request"
import { SlotQueue } from "../slot-queue"
import { type Asking, Questioning } from "./ask"
import { CallPlaces } from "./call-places"
import { LLAMA_CPP, profileOf } from "./families"

test("a call whose body was freed before it could be written keeps no slot of the engine", async () => {
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
    writing: { isStrict: false },
    isWhole: () => true,
  }
  const state = jsonText("late")
  structuredClone(state.source.buffer, { transfer: [state.source.buffer as ArrayBuffer] })
  const { signal } = new AbortController()
  await expect(new Questioning(asking, state, signal).answers([noul("q", "Is it late?")])).rejects.toThrow(TypeError)
  expect([calls, slots.used]).toEqual([[], 0])
})
