/** A limit is counted in this many steps. */
const STEPS = 8

/**
 * Calls `end` after `ms` in which this process could read replies, and returns what cancels that. Between two steps of the limit, Node
 * reads what arrived. So a process that was busy or paused for longer than the limit still reads its reply.
 */
export function afterReadableMs(ms: number, end: () => void): () => void {
  let steps = 0
  const step = () => {
    if (++steps === STEPS) end()
    else timer = setTimeout(step, ms / STEPS)
  }
  let timer = setTimeout(step, ms / STEPS)
  return () => clearTimeout(timer)
}
