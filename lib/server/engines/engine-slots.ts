import { newId } from "@/lib/server/platform/ids"
import { OWN_ENGINE_URL } from "./own-engine-url"
import { SlotQueue, type SlotUse } from "./slot-queue"

/** The slots of all engines of this process, by `slotsKey`: ids that share an engine share its slots. */
export class EngineSlots {
  /** Names this process to others that use the same engines. */
  readonly processId = newId()
  readonly #queues = new Map<string, SlotQueue>()

  constructor(private readonly createQueue: (url: string) => SlotQueue = () => new SlotQueue()) {}

  of(url: string): SlotQueue {
    const queue = this.#queues.get(url) ?? this.createQueue(url)
    this.#queues.set(url, queue)
    return queue
  }

  /** Forgets the engines at other addresses. */
  keep(urls: ReadonlySet<string | null>): void {
    for (const url of this.#queues.keys()) if (!urls.has(url)) this.#queues.delete(url)
  }

  /**
   * Returns how this process used the slots of each engine since the last call. Leaves out unused engines, engines that report no
   * slots, and the service's own engine, which no other process uses.
   */
  takeUse(): (SlotUse & { url: string })[] {
    return [...this.#queues].flatMap(([url, queue]) => {
      const use = url.startsWith(OWN_ENGINE_URL) ? null : queue.takeUse()
      return use ? [{ url, ...use }] : []
    })
  }

  /** Records how other processes use the slots of these engines. Others do not use engines that are absent. */
  setOthers(others: (SlotUse & { url: string; processes: number })[]): void {
    const byUrl = new Map(others.map((use) => [use.url, use]))
    for (const [url, queue] of this.#queues) queue.setOthers(byUrl.get(url) ?? null)
  }
}
