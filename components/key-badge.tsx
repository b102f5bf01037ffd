import { Badge, type BadgeTone } from "@/components/ui/badge"
import { type KeyNotice, keyNotice } from "@/lib/shared/keys/key-view"
import type { KeyStatus, KeySummary } from "@/lib/shared/keys/schema"

const STATUS: Record<KeyStatus, { label: string; tone: BadgeTone }> = {
  active: { label: "Active", tone: "neutral" },
  limit_reached: { label: "Limit reached", tone: "danger" },
  paused: { label: "Paused", tone: "warn" },
  expired: { label: "Expired", tone: "neutral" },
  revoked: { label: "Revoked", tone: "neutral" },
}

const NOTICE: Record<Exclude<KeyNotice, null>, string> = { near_limit: "Near limit", expires_soon: "Expires soon" }

/** Renders the status of a key, or a notice about one that still works. */
export function KeyBadge({ entry }: { entry: KeySummary }) {
  const notice = keyNotice(entry, new Date())
  if (notice) return <Badge tone="warn">{NOTICE[notice]}</Badge>
  const { label, tone } = STATUS[entry.status]
  return <Badge tone={tone}>{label}</Badge>
}
