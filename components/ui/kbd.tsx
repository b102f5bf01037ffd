import type { ReactNode } from "react"

/** Shows one key of a keyboard shortcut. */
export function Kbd({ children }: { children: ReactNode }) {
  return (
    <kbd className="inline-flex min-w-5 items-center justify-center rounded border border-line bg-sunken px-1 font-sans text-ink-muted text-xs leading-5">
      {children}
    </kbd>
  )
}
