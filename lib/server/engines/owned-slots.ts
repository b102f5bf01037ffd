import { abortError } from "./abort"
import { SlotQueue, type Slots } from "./slot-queue"

/** What a worker sends to the owner of the slots: a call with its prompts by question, or that a call is over. */
export type SlotCall = { id: number; url: string; prompts: number[] } | { id: number; url: null }

/** How many of a call's questions may be sent now. */
export interface SlotGrant {
  id: number
  count: number
}

/** The calls of this process in queues that its supervisor owns. */
export class SlotLine {
  readonly #waiting = new Map<number, (count: number) => void>()
  #asked = 0

  constructor(private readonly send: (call: SlotCall) => void) {}

  /** Returns the queue of the engine at this address, as this process sees it. */
  readonly queueOf = (url: string): SlotQueue => new SlotQueue((prompts, signal) => this.#take(url, prompts, signal))

  receive({ id, count }: SlotGrant): void {
    this.#waiting.get(id)?.(count)
  }

  async #take(url: string, prompts: number[], signal: AbortSignal): Promise<Slots> {
    const id = ++this.#asked
    let isOver = false
    const end = () => {
      if (isOver) return
      isOver = true
      this.send({ id, url: null })
    }
    let onAbort = () => {}
    const asked = new Promise<number>((resolve, reject) => {
      this.#waiting.set(id, resolve)
      onAbort = () => reject(abortError(signal))
    })
    signal.addEventListener("abort", onAbort)
    this.send({ id, url, prompts })
    try {
      return { count: await asked, end }
    } catch (error) {
      end()
      throw error
    } finally {
      this.#waiting.delete(id)
      signal.removeEventListener("abort", onAbort)
    }
  }
}

/** Takes slots for the calls of one worker, in the queues of this process. */
export class SlotOwner {
  readonly #calls = new Map<number, () => void>()
  #isClosed = false

  constructor(
    private readonly queueOf: (url: string) => SlotQueue,
    private readonly send: (grant: SlotGrant) => void,
  ) {}

  async receive(call: SlotCall): Promise<void> {
    const { id } = call
    if (call.url === null || this.#isClosed) return this.#end(id)
    const controller = new AbortController()
    this.#calls.set(id, () => controller.abort())
    // Rejects when the worker gave the call up.
    const slots = await this.queueOf(call.url)
      .take(call.prompts, controller.signal)
      .catch(() => null)
    if (!slots) return
    // The worker gave the call up, or ended, at the moment when it got them.
    if (controller.signal.aborted) return slots.end()
    this.#calls.set(id, slots.end)
    this.send({ id, count: slots.count })
  }

  /** Ends all calls of a worker that ended. */
  close(): void {
    this.#isClosed = true
    for (const id of [...this.#calls.keys()]) this.#end(id)
  }

  #end(id: number): void {
    this.#calls.get(id)?.()
    this.#calls.delete(id)
  }
}
