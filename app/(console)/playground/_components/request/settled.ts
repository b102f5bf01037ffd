const SETTLE_MS = 400

/** Tells when typing has paused, so that checks, counts and saves are made once for many keys. */
export interface Settled {
  /** Something changed. */
  touch(): void
  /** Takes what editors still hold back into the form. */
  collect(): void
  /** Does what is due now. */
  flush(): void
  /** Called after each pause; answers how to stop. */
  subscribe(listener: () => void): () => void
  /** Called at every change, so with next to nothing to do. */
  subscribeToTouch(listener: () => void): () => void
  /** An editor that holds text back while somebody types, and how it gives it up. */
  addWriter(write: () => void): () => void
}

const entered = <Item>(items: Set<Item>, item: Item) => {
  items.add(item)
  return () => void items.delete(item)
}

export function createSettled(): Settled {
  const listeners = new Set<() => void>()
  const writers = new Set<() => void>()
  const touched = new Set<() => void>()
  let timer: ReturnType<typeof setTimeout> | undefined
  const collect = () => {
    for (const write of writers) write()
  }
  const flush = () => {
    collect()
    if (timer === undefined) return
    clearTimeout(timer)
    timer = undefined
    for (const listener of [...listeners]) listener()
  }
  return {
    collect,
    flush,
    touch: () => {
      clearTimeout(timer)
      timer = setTimeout(flush, SETTLE_MS)
      for (const listener of touched) listener()
    },
    subscribe: (listener) => entered(listeners, listener),
    subscribeToTouch: (listener) => entered(touched, listener),
    addWriter: (write) => entered(writers, write),
  }
}
