import { describe, expect, it } from "vitest"
import { SlotLine, SlotOwner } from "./owned-slots"
import { SlotQueue } from "./slot-queue"

const URL = "http://engine"
const never = new AbortController().signal

/** A queue with four slots that two workers share. */
function shared() {
  const queue = new SlotQueue()
  queue.setSlots(4)
  const worker = () => {
    const line = new SlotLine((call) => void owner.receive(structuredClone(call)))
    const owner: SlotOwner = new SlotOwner(
      () => queue,
      (grant) => line.receive(grant),
    )
    const slots = line.queueOf(URL)
    slots.setSlots(4)
    return { slots, owner }
  }
  return { queue, one: worker(), two: worker() }
}

describe("slots that a supervisor owns", () => {
  it("are never exceeded by two workers, and calls get them in the order of their arrival", async () => {
    const { queue, one, two } = shared()
    const first = await one.slots.take([3], never)
    const started: string[] = []
    const second = two.slots.take([3], never).then((taken) => {
      started.push("second")
      return taken
    })
    const third = one.slots.take([3], never).then((taken) => {
      started.push("third")
      return taken
    })
    await Promise.resolve()
    expect([queue.used, queue.waiting]).toEqual([3, 2])
    first.end()
    const taken = await second
    expect([started, queue.used, queue.waiting]).toEqual([["second"], 3, 1])
    taken.end()
    ;(await third).end()
    expect([started, queue.used, queue.waiting]).toEqual([["second", "third"], 0, 0])
  })

  it("give a call as many questions as slots are free", async () => {
    const { one, two } = shared()
    await one.slots.take([2], never)
    expect((await two.slots.take([1, 1, 1, 1], never)).count).toBe(2)
  })

  it("are not kept for a call that is given up, and are freed once when a call ends twice", async () => {
    const { queue, one, two } = shared()
    const first = await one.slots.take([4], never)
    const controller = new AbortController()
    const waiting = two.slots.take([4], controller.signal)
    controller.abort(new Error("the client left"))
    await expect(waiting).rejects.toThrow()
    expect(queue.waiting).toBe(0)
    first.end()
    first.end()
    expect(queue.used).toBe(0)
  })

  it("are free again when a worker ends", async () => {
    const { queue, one, two } = shared()
    await one.slots.take([4], never)
    const waiting = two.slots.take([4], never)
    one.owner.close()
    expect((await waiting).count).toBe(1)
    expect(queue.used).toBe(4)
    two.owner.close()
    expect([queue.used, queue.waiting]).toEqual([0, 0])
  })

  it("are free again when a worker ends while another of its calls waits", async () => {
    const { queue, one } = shared()
    await one.slots.take([4], never)
    void one.slots.take([4], never)
    expect([queue.used, queue.waiting]).toEqual([4, 1])
    one.owner.close()
    await new Promise(setImmediate)
    expect([queue.used, queue.waiting]).toEqual([0, 0])
    // A message that was read after the worker's end.
    await one.owner.receive({ id: 9, url: URL, prompts: [4] })
    expect([queue.used, queue.waiting]).toEqual([0, 0])
  })

  it("are free again when a call is given up at the moment when it gets them", async () => {
    const { queue, one } = shared()
    const first = await one.slots.take([4], never)
    const controller = new AbortController()
    const waiting = one.slots.take([4], controller.signal)
    const refused = expect(waiting).rejects.toThrow()
    first.end()
    controller.abort(new Error("the client left"))
    await refused
    await new Promise(setImmediate)
    expect([queue.used, queue.waiting]).toEqual([0, 0])
  })

  it("are not asked for while the engine reports none", async () => {
    const sent: unknown[] = []
    const slots = new SlotLine((call) => void sent.push(call)).queueOf(URL)
    expect((await slots.take([1, 1], never)).count).toBe(2)
    expect(sent).toEqual([])
  })
})
