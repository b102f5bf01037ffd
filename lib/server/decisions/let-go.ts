import { release } from "@/lib/server/ledger/resolve-hold"
import { publicId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { orAbort } from "./or-abort"

const WAIT_MS = 5_000

/** Releases a hold that will not be charged. When that fails, only its 150 s and the sweeper end it; never rejects. */
export async function letGo(holdId: string): Promise<void> {
  await orAbort(release(holdId), AbortSignal.timeout(WAIT_MS)).catch((cause) => {
    runtime().log.error("a hold was not released; the sweeper will", { requestId: publicId("req", holdId), cause })
  })
}
