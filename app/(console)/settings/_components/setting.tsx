import type { ReactNode } from "react"

interface SettingProps {
  /** What links lead to. */
  id?: string
  title: string
  hint: ReactNode
  children: ReactNode
}

export function Setting({ id, title, hint, children }: SettingProps) {
  return (
    <section
      id={id}
      className="grid gap-x-8 gap-y-2 border-line border-t py-3 md:grid-cols-[minmax(0,20rem)_minmax(0,1fr)] md:gap-y-3 md:py-6"
    >
      <div>
        <h2 className="font-semibold text-lg leading-tight">{title}</h2>
        <p className="text-ink-muted text-sm">{hint}</p>
      </div>
      <div className="min-w-0">{children}</div>
    </section>
  )
}
