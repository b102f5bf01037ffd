import type pg from "pg"
import { afterReadableMs } from "@/lib/server/platform/readable-time"

type Query = (...args: unknown[]) => unknown

/** What `pg` reports for its own limit. */
const noReply = () => new Error("Query read timeout")

/** Returns whether `pg` limits the statement itself, or it is a stream. */
const isExempt = (statement: unknown): boolean =>
  typeof statement === "object" && statement !== null && ("query_timeout" in statement || "submit" in statement)

/**
 * Fails each statement of a connection that has no reply after `ms` in which this process could read it. The `query_timeout` of `pg`
 * would also fail one whose reply arrived while the process was paused. As with that, the caller releases the connection with the error.
 */
export function limitReplies(client: pg.PoolClient, ms: number): void {
  const query = client.query.bind(client) as Query
  const limited: Query = (...args) => {
    const callback = args.at(-1)
    if (isExempt(args[0])) return query(...args)
    if (typeof callback === "function") {
      let isOpen = true
      const end = (...outcome: unknown[]) => {
        if (isOpen) callback(...outcome)
        isOpen = false
        cancel()
      }
      const cancel = afterReadableMs(ms, () => end(noReply()))
      return query(...args.slice(0, -1), end)
    }
    return new Promise((resolve, reject) => {
      const cancel = afterReadableMs(ms, () => reject(noReply()))
      const reply = query(...args) as Promise<unknown>
      reply.then(resolve, reject).finally(cancel)
    })
  }
  client.query = limited as typeof client.query
}
