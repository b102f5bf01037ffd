"use client"
import { Tag } from "lucide-react"
import { type KeyboardEvent, useState } from "react"
import { Badge } from "@/components/ui/badge"
import { Button } from "@/components/ui/button"
import { focusField } from "@/components/ui/focus-field"
import { IconButton } from "@/components/ui/icon-button"
import { Input } from "@/components/ui/input"
import { Time } from "@/components/ui/time"
import { countOf, formatCost } from "@/lib/shared/format"
import { shortText } from "@/lib/shared/long-runs"
import type { HistoryEntry } from "../model/run-history"
import { firstWords, questionNames } from "./history-search"

// A run's id has a space, which an element's id must not have.
const elementId = (part: string, id: string): string => `run-${part}-${id.replaceAll(" ", "-")}`

/** Returns the element id of a run's "View", for the focus when the list is shown again. */
export const viewButtonId = (id: string): string => elementId("view", id)

interface HistoryRowProps {
  entry: HistoryEntry
  /** Names the run for assistive technology, such as "run 3". */
  name: string
  isChosen: boolean
  onChoose: () => void
  onShow: () => void
  onRestore: () => void
  onLabel: (label: string) => void
}

export function HistoryRow({ entry, name, isChosen, onChoose, onShow, onRestore, onLabel }: HistoryRowProps) {
  const { outcome } = entry
  const isAnswered = outcome?.kind === "answered"
  return (
    <li className="flex items-start gap-x-3 border-line border-t py-2.5">
      <input
        type="checkbox"
        aria-label={`Choose ${name} to compare`}
        checked={isChosen}
        disabled={!isAnswered}
        title={isAnswered ? undefined : "Only answered runs can be compared"}
        onChange={onChoose}
        className="mt-0.5 size-4 shrink-0 accent-accent pointer-coarse:size-6"
      />
      <div className="flex min-w-0 flex-1 flex-wrap items-start justify-between gap-x-3 gap-y-2">
        <div className="min-w-0 flex-1 basis-56">
          <Title entry={entry} name={name} onLabel={onLabel} />
          <p className="wrap-anywhere line-clamp-2 font-mono text-sm">{questionNames(entry).join(", ")}</p>
          <Facts entry={entry} />
        </div>
        <span className="flex gap-2">
          <Button
            id={viewButtonId(entry.run.id)}
            variant="secondary"
            size="sm"
            aria-label={`View ${name}`}
            disabled={!outcome}
            onClick={onShow}
          >
            View
          </Button>
          <Button variant="secondary" size="sm" aria-label={`Restore ${name}`} disabled={!outcome} onClick={onRestore}>
            Restore
          </Button>
        </span>
      </div>
    </li>
  )
}

function Facts({ entry: { run, outcome } }: { entry: HistoryEntry }) {
  const answered = outcome?.kind === "answered" ? outcome : null
  return (
    <p className="wrap-anywhere text-ink-muted text-sm tabular-nums">
      <Time at={run.at} />
      {answered ? `, ${countOf(answered.tokens, "token")}` : ""}
      {answered?.costUsd ? `, ${formatCost(answered.costUsd)}` : ""}, charged to {run.spentAs},{" "}
      {shortText(answered?.model ?? outcome?.exchange.request.model)}
    </p>
  )
}

function Title({ entry, name, onLabel }: Pick<HistoryRowProps, "entry" | "name" | "onLabel">) {
  const { run, outcome } = entry
  const [draft, setDraft] = useState<string | null>(null)
  const labelId = elementId("label", run.id)
  const words = firstWords(entry) || "This run can no longer be read"
  const refused = outcome?.kind === "refused" ? outcome.refusal.code : null
  const save = () => {
    if (draft !== null && draft.trim() !== (run.label ?? "")) onLabel(draft.trim())
    setDraft(null)
  }
  const onKeyDown = ({ key, nativeEvent }: KeyboardEvent) => {
    if ((key !== "Enter" && key !== "Escape") || nativeEvent.isComposing) return
    if (key === "Enter") save()
    else setDraft(null)
    focusField(labelId)
  }
  if (draft !== null)
    return (
      <Input
        ref={(input) => input?.focus()}
        aria-label={`Label of ${name}`}
        maxLength={80}
        value={draft}
        onChange={({ target }) => setDraft(target.value)}
        onKeyDown={onKeyDown}
        onBlur={save}
        className="mb-1"
      />
    )
  return (
    <div className="-mt-1.5 flex items-center gap-1">
      <p className="min-w-0 truncate" title={words}>
        {run.label ? <span className="font-semibold">{run.label}: </span> : null}
        <span className={run.label ? "text-ink-muted" : "font-medium"}>{words}</span>
      </p>
      <IconButton id={labelId} icon={Tag} label={`Label ${name}`} onClick={() => setDraft(run.label ?? "")} />
      {outcome?.kind === "answered" ? null : <Badge tone="danger">{refused ?? run.status}</Badge>}
    </div>
  )
}
