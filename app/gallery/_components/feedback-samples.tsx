"use client"
import { Alert } from "@/components/ui/alert"
import { Badge } from "@/components/ui/badge"
import { Button } from "@/components/ui/button"
import { EmptyState } from "@/components/ui/empty-state"
import { Kbd } from "@/components/ui/kbd"
import { Later } from "@/components/ui/later"
import { Meter } from "@/components/ui/meter"
import { Progress } from "@/components/ui/progress"
import { QueueState } from "@/components/ui/queue-state"
import { Skeleton } from "@/components/ui/skeleton"
import { Sample, Samples } from "./sample"

const ALERTS = ["info", "ok", "warn", "danger"] as const
const BADGES = ["neutral", "accent", "ok", "warn", "danger"] as const

export function FeedbackSamples() {
  return (
    <Samples title="Feedback">
      <Sample of="Alert">
        {ALERTS.map((tone) => (
          <Alert key={tone} tone={tone} title={`An alert of the tone ${tone}`} action={<Button size="sm">Act</Button>}>
            It says what happened and what to do next.
          </Alert>
        ))}
      </Sample>
      <Sample of="Badge, QueueState, Kbd">
        {BADGES.map((tone) => (
          <Badge key={tone} tone={tone}>
            {tone}
          </Badge>
        ))}
        <QueueState label="Waits" tone="warn" nextAt="2026-11-27T12:00:00.000Z" />
        <Kbd>⌘K</Kbd>
      </Sample>
      <Sample of="Meter, Progress, Skeleton, Later">
        <Meter value={0.7} label="Spend of this key" className="w-40" />
        <Progress label="Rows answered" value={320} max={1_000} className="w-40" />
        <Skeleton className="h-6 w-40" />
        <Later>Shown after the parts above.</Later>
      </Sample>
      <Sample of="EmptyState">
        <EmptyState title="No keys yet" action={<Button size="sm">Create key</Button>}>
          A key lets a program send requests.
        </EmptyState>
      </Sample>
    </Samples>
  )
}
