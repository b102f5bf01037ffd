const ANSWER_MS = 300

/**
 * Does the work unless a tab, this one included, is running the set. Returns whether it was done. The browser frees the lock when
 * the tab closes.
 */
export async function withSetLock(setId: string, work: () => Promise<void>): Promise<boolean> {
  const name = `evaluate ${setId}`
  // Web Locks are missing on plain http, which a console on a local network may use.
  if (!navigator.locks) return withLockByChannel(name, work)
  return navigator.locks.request(name, { ifAvailable: true }, async (lock) => {
    if (lock) await work()
    return lock !== null
  })
}

async function withLockByChannel(name: string, work: () => Promise<void>): Promise<boolean> {
  const channel = new BroadcastChannel(name)
  const own = Math.random()
  let isTaken = false
  let isHeld = false
  channel.onmessage = ({ data }: MessageEvent<{ asks: number } | { held: true }>) => {
    if ("held" in data) isTaken = true
    // Of two tabs that ask at once, the one with the smaller number works.
    else if (isHeld || own < data.asks) channel.postMessage({ held: true })
  }
  try {
    channel.postMessage({ asks: own })
    await new Promise((resolve) => setTimeout(resolve, ANSWER_MS))
    if (isTaken) return false
    isHeld = true
    await work()
    return true
  } finally {
    channel.close()
  }
}
