import type { ReactNode } from "react"

export function AuthHeading({ title, children }: { title: string; children: ReactNode }) {
  return (
    <header className="flex flex-col gap-2">
      <h1 className="font-semibold text-xl">{title}</h1>
      <p className="text-ink-muted text-md">{children}</p>
    </header>
  )
}
