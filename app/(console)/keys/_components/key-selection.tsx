"use client"
import { createContext, type ReactNode, startTransition, useContext, useState } from "react"
import { Button } from "@/components/ui/button"
import { countOf } from "@/lib/shared/format"
import type { KeySummary } from "@/lib/shared/keys/schema"
import { useKeyDialogs } from "./key-dialogs"

interface Selection {
  ids: ReadonlySet<string>
  toggle: (id: string) => void
}

const SelectionContext = createContext<Selection>({ ids: new Set(), toggle: () => {} })

const isRevocable = ({ kind, status }: KeySummary): boolean => kind === "secret" && status !== "revoked"

/** Tracks which of the keys are selected, and shows what can be done with them above the list. */
export function KeySelection({ keys, children }: { keys: readonly KeySummary[]; children: ReactNode }) {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  // A key that was revoked or filtered out is no longer selected.
  const selected = keys.filter((key) => ids.has(key.id) && isRevocable(key))
  const all = keys.filter(isRevocable)
  const toggle = (id: string) =>
    setIds((before) => new Set([...before].filter((it) => it !== id).concat(before.has(id) ? [] : id)))
  return (
    <SelectionContext value={{ ids, toggle }}>
      {selected.length > 0 ? (
        <SelectionBar
          selected={selected}
          isAll={selected.length === all.length}
          onAll={() => setIds(new Set(all.map(({ id }) => id)))}
          onClear={() => setIds(new Set())}
        />
      ) : null}
      {children}
    </SelectionContext>
  )
}

interface SelectionBarProps {
  selected: readonly KeySummary[]
  isAll: boolean
  onAll: () => void
  onClear: () => void
}

function SelectionBar({ selected, isAll, onAll, onClear }: SelectionBarProps) {
  const { revoke } = useKeyDialogs()
  const count = countOf(selected.length, "key")
  return (
    <div className="sticky top-2 z-20 mb-2 flex flex-wrap items-center gap-2 rounded-md border border-line bg-surface py-1.5 pr-1.5 pl-3 shadow-float max-lg:top-15">
      <p role="status" className="mr-auto font-medium tabular-nums">
        {count} selected
      </p>
      {isAll ? null : (
        <Button variant="quiet" size="sm" onClick={() => startTransition(onAll)}>
          Select all
        </Button>
      )}
      <Button variant="quiet" size="sm" onClick={() => startTransition(onClear)}>
        Clear
      </Button>
      <Button variant="danger" size="sm" onClick={() => revoke(selected)}>
        Revoke {count}
      </Button>
    </div>
  )
}

export function SelectKey({ entry, label }: { entry: KeySummary; label: string }) {
  const { ids, toggle } = useContext(SelectionContext)
  const { mayManage } = useKeyDialogs()
  if (!mayManage || !isRevocable(entry)) return null
  return (
    <label className="-m-2 inline-flex cursor-pointer p-2 align-middle pointer-coarse:-m-3.5 pointer-coarse:p-3.5">
      <span className="sr-only">Select {label}</span>
      <input
        type="checkbox"
        checked={ids.has(entry.id)}
        onChange={() => toggle(entry.id)}
        className="size-4 accent-accent"
      />
    </label>
  )
}
