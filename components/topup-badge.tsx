import { Badge, type BadgeTone } from "@/components/ui/badge"
import type { TopupStatus } from "@/lib/shared/billing/schema"

const STATUS: Record<TopupStatus, { label: string; tone: BadgeTone }> = {
  created: { label: "Not started", tone: "neutral" },
  open: { label: "Awaiting payment", tone: "accent" },
  processing: { label: "Pending", tone: "warn" },
  paid: { label: "Completed", tone: "ok" },
  failed: { label: "Failed", tone: "danger" },
  attention: { label: "Needs attention", tone: "warn" },
  settled: { label: "Settled by the operator", tone: "ok" },
  ended: { label: "Ended by the operator", tone: "neutral" },
  expired: { label: "Expired", tone: "neutral" },
}

export function TopupBadge({ status }: { status: TopupStatus }) {
  const { label, tone } = STATUS[status]
  return <Badge tone={tone}>{label}</Badge>
}
