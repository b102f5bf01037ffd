"use client"
import { Tabs as Base } from "@base-ui/react/tabs"
import clsx from "clsx"
import type { ReactNode } from "react"

export interface Tab {
  value: string
  label: ReactNode
}

interface TabsProps {
  /** What the choice is about, for assistive technology. */
  label: string
  tabs: readonly Tab[]
  value: string
  onValueChange: (value: string) => void
  className?: string
  /** One `TabPanel` per tab. */
  children: ReactNode
}

/** Two or more views of the same place. */
export function Tabs({ label, tabs, value, onValueChange, className, children }: TabsProps) {
  return (
    <Base.Root value={value} onValueChange={(next) => onValueChange(String(next))} className={className}>
      <Base.List aria-label={label} className="flex gap-1 border-line border-b">
        {tabs.map((tab) => (
          <Base.Tab
            key={tab.value}
            value={tab.value}
            className="-mb-px inline-flex h-9 items-center border-transparent border-b-2 px-3 font-medium text-ink-muted transition-colors duration-150 hover:text-ink data-active:border-accent data-active:text-ink pointer-coarse:min-h-11"
          >
            {tab.label}
          </Base.Tab>
        ))}
      </Base.List>
      {children}
    </Base.Root>
  )
}

interface TabPanelProps {
  value: string
  /** Keeps what was typed in it while another tab shows. */
  keepMounted?: boolean
  className?: string
  children: ReactNode
}

/** What one tab shows. */
export function TabPanel({ value, keepMounted, className, children }: TabPanelProps) {
  return (
    <Base.Panel value={value} keepMounted={keepMounted} className={clsx("outline-offset-4", className)}>
      {children}
    </Base.Panel>
  )
}
