import type { Metadata } from "next"
import { headers } from "next/headers"
import { notFound } from "next/navigation"
import { Brand } from "@/components/site/brand"
import { EmptyState } from "@/components/ui/empty-state"
import { LinkButton } from "@/components/ui/link-button"
import { PageHeader } from "@/components/ui/page-header"
import { isOutboxOpen } from "@/lib/server/auth/outbox-access"
import { listOutbox } from "@/lib/server/mail/outbox"
import { Message } from "./_components/message"

export const metadata: Metadata = { title: "Outbox", robots: { index: false } }

export default async function OutboxPage() {
  if (!isOutboxOpen(await headers())) notFound()
  const messages = await listOutbox()
  return (
    <div className="mx-auto w-full max-w-2xl px-5 py-8 sm:py-16">
      <header>
        <Brand />
      </header>
      <main id="content" className="pt-12">
        <PageHeader title="Outbox">
          No mail server is configured, so messages are stored here, newest first. Only people at this machine can see
          them.
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
