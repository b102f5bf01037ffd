import { buttonClass } from "@/components/ui/button"
import { Time } from "@/components/ui/time"
import type { OutboxMessage } from "@/lib/server/mail/outbox"

export function Message({ message: { to, subject, sentAt, text, link } }: { message: OutboxMessage }) {
  return (
    <li className="flex flex-col gap-3 border-line border-t py-5">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0 flex-1 basis-56">
          <h2 className="break-words font-medium text-md">{subject}</h2>
          <p className="break-words text-ink-muted">
            To {to}, {sentAt ? <Time at={sentAt} /> : null}
          </p>
        </div>
        {link ? (
          <a href={link} className={buttonClass("secondary", "md")}>
            Open link
          </a>
        ) : null}
      </div>
      <details className="text-ink-muted">
        <summary className="w-fit pointer-coarse:py-3">Show message</summary>
        <p className="mt-3 whitespace-pre-wrap break-words rounded-md bg-sunken p-4 text-ink">{text}</p>
      </details>
    </li>
  )
}
