import type { KeySummary } from "@/lib/shared/keys/schema"
import { parseUsd } from "@/lib/shared/money"

/** The used part of a key's limit, 0 to 1, to the tenth of a percent downwards: it is 1 only when nothing is left. Null: no limit. */
export function spendPart({ spentUsd, limitUsd }: Pick<KeySummary, "spentUsd" | "limitUsd">): number | null {
  if (limitUsd === null) return null
  const [spent, limit] = [parseUsd(spentUsd) ?? 0n, parseUsd(limitUsd) ?? 0n]
  return limit > 0n ? Number((spent * 1_000n) / limit) / 1_000 : 1
}

export type KeyNotice = "near_limit" | "expires_soon" | null

const SOON_MS = 7 * 86_400_000

/** What an active key's owner should know before it happens: four fifths of the limit spent, or a week left to live. */
export function keyNotice(key: KeySummary, now: Date): KeyNotice {
  if (key.status !== "active") return null
  if ((spendPart(key) ?? 0) >= 0.8) return "near_limit"
  return key.expiresAt && Date.parse(key.expiresAt) - now.getTime() <= SOON_MS ? "expires_soon" : null
}
