import type { Metadata } from "next"
import { headers } from "next/headers"
import { notFound } from "next/navigation"
import { Brand } from "@/components/site/brand"
import { buttonClass } from "@/components/ui/button"
import { EmptyState } from "@/components/ui/empty-state"
import { LinkButton } from "@/components/ui/link-button"
import { PageHeader } from "@/components/ui/page-header"
import { Time } from "@/components/ui/time"
import { isOutboxOpen } from "@/lib/server/auth/outbox-access"
import { listOutbox, type OutboxMessage } from "@/lib/server/mail/outbox"
import { runtime } from "@/lib/server/platform/runtime"

export const metadata: Metadata = { title: "Outbox", robots: { index: false } }

export default async function OutboxPage() {
  if (!isOutboxOpen(runtime(), await headers())) notFound()
  const messages = await listOutbox(runtime())
  return (
    <div className="mx-auto w-full max-w-2xl px-5 py-8 sm:py-16">
      <header>
        <Brand />
      </header>
      <main id="content" className="pt-12">
        <PageHeader title="Outbox">
          No mail server is configured, so messages are stored here, newest first. Only people with access to this
          machine can see them.
        </PageHeader>
        {messages.length === 0 ? (
          <EmptyState
            title="No messages yet"
            action={
              <LinkButton href="/sign-in" variant="secondary">
                Sign in
              </LinkButton>
            }
          >
            Request a sign-in link, and its message appears here.
          </EmptyState>
        ) : (
          <ul className="flex flex-col">
            {messages.map((message) => (
              <Message key={message.id} message={message} />
            ))}
          </ul>
        )}
      </main>
    </div>
  )
}

function Message({ message: { to, subject, sentAt, text, link } }: { message: OutboxMessage }) {
  return (
    <li className="flex flex-col gap-3 border-line border-t py-5">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0 flex-1 basis-56">
          <h2 className="break-words font-semibold text-lg">{subject}</h2>
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
