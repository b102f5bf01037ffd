import type { Env } from "@/lib/server/platform/env"
import { isLoopbackName } from "@/lib/server/platform/own-origin"

export const ANYWAY = "--anyway"

/** Throws unless the database and the console are on this machine and payments are not real. */
export function refuseProduction({ isLoopback, DATABASE_URL, STRIPE_SECRET_KEY }: Env): void {
  const host = DATABASE_URL ? new URL(DATABASE_URL).hostname : "localhost"
  const isLive = STRIPE_SECRET_KEY?.includes("_live_")
  if (isLoopback && (host === "" || isLoopbackName(host)) && !isLive) return
  throw new Error(`This is not a development database. To fill it with a demo all the same, add ${ANYWAY}.`)
}
