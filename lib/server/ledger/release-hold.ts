import { publicId } from "@/lib/server/platform/ids"
import { orAbort } from "@/lib/server/platform/or-abort"
import { runtime } from "@/lib/server/platform/runtime"
import { releaseDrawn } from "./drawn-charges"
import type { HoldRef, Resolution } from "./held-request"
import type { StatementBatcher } from "./statement-batcher"

interface Release {
  hold: HoldRef
  how: "voided" | "expired"
}

declare module "@/lib/server/platform/runtime" {
  interface Runtime {
    releases: StatementBatcher<Release, Resolution>
  }
}

/** Releases holds in one transaction. All batches lock accounts in the order of their ids, so they never deadlock. */
export async function releaseBatch(releases: Release[]): Promise<Resolution[]> {
  const order = [...releases.keys()].sort((a, b) => (accountAt(releases, a) < accountAt(releases, b) ? -1 : 1))
  const sorted = order.map((i) => releases[i])
  const { rows } = await runtime().pool.query<{ state: Resolution }>({
    name: "release",
    text: "SELECT release(id, how) AS state FROM unnest($1::uuid[], $2::text[]) AS r(id, how)",
    values: [sorted.map((one) => one?.hold.id), sorted.map((one) => one?.how)],
  })
  const states = new Map(order.map((i, position) => [i, rows[position]?.state ?? "unknown"]))
  return releases.map((_, i) => states.get(i) ?? "unknown")
}

const accountAt = (releases: Release[], i: number): string => releases[i]?.hold.accountId ?? ""

/** Ends a hold without a charge and returns its state. 'expired' ends only a hold whose time is over. Idempotent. */
export function release(hold: HoldRef, how: "voided" | "expired" = "voided"): Promise<Resolution> {
  const { grants, releases } = runtime()
  const draw = grants.drawOf(hold.id)
  return draw ? releaseDrawn(draw) : releases.submit({ hold, how })
}

const RELEASE_WITHIN_MS = 5_000

/** Releases the hold of a failed request. Never rejects: if it fails, the hold expires after 150 s. */
export async function releaseHold(hold: HoldRef): Promise<void> {
  await orAbort(release(hold), AbortSignal.timeout(RELEASE_WITHIN_MS)).catch((cause) => {
    const fields = { event: "hold.release_failed", requestId: publicId("req", hold.id), cause }
    runtime().log.error("A hold was not released and will expire", fields)
  })
}
