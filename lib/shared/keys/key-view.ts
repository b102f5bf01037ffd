import { z } from "zod"
import type { KeySummary } from "@/lib/shared/keys/schema"
import { spendPart } from "./spend-part"

export const KEY_SORTS = ["name", "status", "used", "last-used", "created", "expires"] as const
export type KeySort = (typeof KEY_SORTS)[number]

/** How the list of keys is shown, as its address says it; what is none of ours falls back. */
export const KeyView = z.object({
  show: z.enum(["active", "ended", "all"]).catch("active"),
  q: z
    .string()
    .transform((text) => text.trim().slice(0, 64))
    .catch(""),
  sort: z.enum(KEY_SORTS).catch("created"),
  dir: z.enum(["asc", "desc"]).catch("desc"),
})
export type KeyView = z.output<typeof KeyView>

export interface ViewedKeys {
  rows: KeySummary[]
  /** As asked, but a filter that would leave none of the user's own keys shows all. */
  view: KeyView
  counts: Record<KeyView["show"], number>
}

const isUsable = ({ status }: KeySummary): boolean => status === "active" || status === "limit_reached"

const KEPT: Record<KeyView["show"], (key: KeySummary) => boolean> = {
  active: isUsable,
  ended: (key) => !isUsable(key),
  all: () => true,
}

const STATUS_ORDER = ["active", "limit_reached", "expired", "revoked"]

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

/** By the value of the column; keys that have none come last either way, and equal ones stay newest first. */
function sorted(keys: KeySummary[], { sort, dir }: KeyView): KeySummary[] {
  const sign = dir === "asc" ? 1 : -1
  return keys.toSorted((a, b) => {
    const [left, right] = [VALUE[sort](a), VALUE[sort](b)]
    if (left === null || right === null) return Number(left === null) - Number(right === null)
    return sign * compare(left, right)
  })
}

/** A key is found by a part of its name, its mask or its id. */
function found(key: KeySummary, q: string): boolean {
  const wanted = q.toLowerCase()
  return [key.name, key.masked ?? "", key.id].some((text) => text.toLowerCase().includes(wanted))
}

/** The keys that a view shows, in its order. `keys` are newest first. */
export function viewKeys(keys: KeySummary[], asked: KeyView): ViewedKeys {
  const counts = { active: 0, ended: 0, all: keys.length }
  for (const key of keys) counts[isUsable(key) ? "active" : "ended"]++
  const leavesNone = !keys.some((key) => key.kind === "secret" && KEPT[asked.show](key))
  const view = leavesNone ? { ...asked, show: "all" as const } : asked
  const rows = keys.filter((key) => KEPT[view.show](key) && (view.q === "" || found(key, view.q)))
  return { rows: sorted(rows, view), view, counts }
}
