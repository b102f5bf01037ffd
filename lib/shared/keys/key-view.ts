import { z } from "zod"
import type { KeyCreator, KeySummary } from "@/lib/shared/keys/schema"
import { parseUsd } from "@/lib/shared/money"
import { DAY_MS } from "@/lib/shared/time"

const KEY_SORTS = ["name", "status", "used", "last-used", "created", "expires"] as const
export type KeySort = (typeof KEY_SORTS)[number]

/** The view of the key list, from the query of its address. Invalid values fall back to the defaults. */
export const KeyView = z.object({
  show: z.enum(["active", "ended", "all"]).catch("active"),
  q: z
    .string()
    .transform((text) => text.trim().slice(0, 64))
    .catch(""),
  /** The id of the member who created the keys, also of one who left; empty for all. */
  by: z
    .string()
    .regex(/^(?:usr_[0-9a-z]{26})?$/)
    .catch(""),
  sort: z.enum(KEY_SORTS).catch("created"),
  dir: z.enum(["asc", "desc"]).catch("desc"),
})
export type KeyView = z.output<typeof KeyView>

export interface ViewedKeys {
  rows: KeySummary[]
  /** The requested view. A filter that would hide every secret key becomes "all". */
  view: KeyView
  counts: Record<KeyView["show"], number>
  /** Who created keys: members first, then by address. */
  creators: KeyCreator[]
}

/**
 * Returns the used part of a key's limit from 0 to 1, or null without a limit. It is rounded down to a tenth of a percent, so
 * it is 1 only when nothing is left.
 */
export function spendPart({ spentUsd, limitUsd }: Pick<KeySummary, "spentUsd" | "limitUsd">): number | null {
  if (limitUsd === null) return null
  const [spent, limit] = [parseUsd(spentUsd) ?? 0n, parseUsd(limitUsd) ?? 0n]
  return limit > 0n ? Number((spent * 1_000n) / limit) / 1_000 : 1
}

export type KeyNotice = "near_limit" | "expires_soon" | null

const SOON_MS = 7 * DAY_MS

/** Returns a warning for an active key: at least 80% of its limit is spent, or it expires within a week. Null otherwise. */
export function keyNotice(key: KeySummary, now: Date): KeyNotice {
  if (key.status !== "active") return null
  if ((spendPart(key) ?? 0) >= 0.8) return "near_limit"
  return key.expiresAt && Date.parse(key.expiresAt) - now.getTime() <= SOON_MS ? "expires_soon" : null
}

const isUsable = ({ status }: KeySummary): boolean => ["active", "limit_reached", "paused"].includes(status)

const KEPT: Record<KeyView["show"], (key: KeySummary) => boolean> = {
  active: isUsable,
  ended: (key) => !isUsable(key),
  all: () => true,
}

const STATUS_ORDER = ["active", "limit_reached", "paused", "expired", "revoked"]

const VALUE: Record<KeySort, (key: KeySummary) => string | number | null> = {
  name: (key) => key.name.toLowerCase(),
  status: (key) => STATUS_ORDER.indexOf(key.status),
  used: spendPart,
  "last-used": (key) => key.lastUsedAt,
  created: (key) => key.createdAt,
  expires: (key) => key.expiresAt,
}

function compare(a: string | number, b: string | number): number {
  if (typeof a === "string" && typeof b === "string") return a.localeCompare(b, "en", { numeric: true })
  return Number(a) - Number(b)
}

/** Sorts by a column. Keys without a value come last in both directions; equal keys stay newest first. */
function sortKeys(keys: KeySummary[], { sort, dir }: KeyView): KeySummary[] {
  const sign = dir === "asc" ? 1 : -1
  return keys.toSorted((a, b) => {
    const [left, right] = [VALUE[sort](a), VALUE[sort](b)]
    if (left === null || right === null) return Number(left === null) - Number(right === null)
    return sign * compare(left, right)
  })
}

function matches(key: KeySummary, q: string): boolean {
  const wanted = q.toLowerCase()
  return [key.name, key.masked ?? "", key.id].some((text) => text.toLowerCase().includes(wanted))
}

function creatorsOf(keys: KeySummary[]): KeyCreator[] {
  const found = new Map(keys.flatMap(({ createdBy }) => (createdBy ? [[createdBy.id, createdBy] as const] : [])))
  return [...found.values()].toSorted(
    (a, b) => Number(b.isMember) - Number(a.isMember) || a.email.localeCompare(b.email, "en"),
  )
}

/** Returns the keys of a view in its order. `keys` are newest first. */
export function viewKeys(keys: KeySummary[], requested: KeyView): ViewedKeys {
  const creators = creatorsOf(keys)
  // A creator of another account's keys, for example in a link, would hide every key.
  const by = creators.some(({ id }) => id === requested.by) ? requested.by : ""
  const own = keys.filter(({ createdBy }) => by === "" || createdBy?.id === by)
  const counts = { active: 0, ended: 0, all: own.length }
  for (const key of own) counts[isUsable(key) ? "active" : "ended"]++
  const leavesNone = !own.some((key) => key.kind === "secret" && KEPT[requested.show](key))
  const view = { ...requested, by, ...(leavesNone ? { show: "all" as const } : {}) }
  const rows = own.filter((key) => KEPT[view.show](key) && (view.q === "" || matches(key, view.q)))
  return { rows: sortKeys(rows, view), view, counts, creators }
}
