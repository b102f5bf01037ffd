import clsx from "clsx"
import { CircleAlert, CircleCheck, Info, TriangleAlert } from "lucide-react"
import type { ReactNode, Ref } from "react"

export type AlertTone = "info" | "ok" | "warn" | "danger"

const TONES = {
  info: { look: "border-line bg-sunken", icon: Info, tint: "text-ink-muted" },
  ok: { look: "border-ok bg-ok-soft", icon: CircleCheck, tint: "text-ok" },
  warn: { look: "border-warn bg-warn-soft", icon: TriangleAlert, tint: "text-warn" },
  danger: { look: "border-danger bg-danger-soft", icon: CircleAlert, tint: "text-danger" },
} as const

interface AlertProps {
  ref?: Ref<HTMLDivElement>
  tone?: AlertTone
  title?: ReactNode
  action?: ReactNode
  /** `alert` or `status` for a message that appears after an action; none for one that loads with the page. */
  role?: "alert" | "status"
  className?: string
  children?: ReactNode
}

export function Alert({ ref, tone = "info", title, action, role, className, children }: AlertProps) {
  const { look, icon: Icon, tint } = TONES[tone]
  return (
    <div
      ref={ref}
      role={role}
      className={clsx("flex items-start gap-2.5 rounded-md border px-3 py-2.5 text-ink", look, className)}
    >
      <Icon aria-hidden className={clsx("mt-0.5 size-4 shrink-0", tint)} />
      <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-60">
          {title ? <p className="font-medium">{title}</p> : null}
          {children ? <div className="break-words">{children}</div> : null}
        </div>
        {action}
      </div>
    </div>
  )
}
