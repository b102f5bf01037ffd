import { ActionButton } from "@/components/form/action-button"
import { Badge } from "@/components/ui/badge"
import { Button } from "@/components/ui/button"
import { type Column, Table } from "@/components/ui/table"
import { Time } from "@/components/ui/time"
import type { SessionSummary } from "@/lib/server/auth/sessions"
import type { Creation } from "@/lib/shared/accounts/members"
import { CreationList } from "../../_components/creation-list"
import { endSessionAction } from "../actions"
import { ClearWork } from "./local-work"

const nameOf = ({ browser }: SessionSummary): string => browser ?? "Unknown browser"

const COLUMNS: Column<SessionSummary>[] = [
  {
    head: "Browser",
    phone: "title",
    className: "font-medium",
    cell: (session) => (
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
        {nameOf(session)} {session.isCurrent ? <Badge tone="accent">This browser</Badge> : null}
      </span>
    ),
  },
  {
    head: "Signed in from",
    phone: "line",
    cell: ({ clientAddress }) => <span className="break-all font-mono text-sm">{clientAddress ?? "–"}</span>,
  },
  { head: "Signed in", phone: "end", phoneLabel: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
  {
    head: "Last active",
    phone: "value",
    phoneLabel: true,
    cell: ({ lastSeenAt, isCurrent }) => (isCurrent ? "now" : <Time at={lastSeenAt} />),
  },
  { head: "Expires", wideOnly: true, cell: ({ expiresAt }) => <Time at={expiresAt} as="date" /> },
]

function SignOut({ session }: { session: SessionSummary }) {
  if (!session.isCurrent)
    return (
      <ActionButton
        action={endSessionAction}
        input={{ id: session.id }}
        label={`Sign out ${nameOf(session)}`}
        pendingLabel="Signing out…"
        size="sm"
        focusId="sessions"
      >
        Sign out
      </ActionButton>
    )
  return (
    <form method="post" action="/api/auth/signout">
      <Button type="submit" variant="secondary" size="sm">
        Sign out
      </Button>
    </form>
  )
}

interface SessionListProps {
  sessions: SessionSummary[]
  /** What the user created in this account, as far as it still works. */
  ownCreations: Creation[]
}

/**
 * Lists the sessions of the user, and what the user created, which signing out does not end. Signing out here or everywhere works
 * without JavaScript; ending one other session needs it.
 */
export function SessionList({ sessions, ownCreations }: SessionListProps) {
  return (
    <section
      id="sessions"
      tabIndex={-1}
      aria-labelledby="sessions-title"
      className="border-line border-t py-3 outline-none md:py-6"
    >
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3 pb-3">
        <div>
          <h2 id="sessions-title" className="font-semibold text-lg">
            Sessions
          </h2>
          <p className="max-w-text text-ink-muted text-sm">
            The browsers in which you are signed in. A session ends after 30 days, or after 7 days without use.
          </p>
        </div>
        <form method="post" action="/api/auth/signout/everywhere">
          <Button type="submit" variant="secondary">
            Sign out everywhere
          </Button>
        </form>
      </div>
      {ownCreations.length > 0 ? (
        <div className="flex flex-col gap-2 pb-4 text-sm">
          <p className="max-w-text">
            Signing out does not end what you created in this account. If somebody else may have used your session, look
            for what you do not know.
          </p>
          <details>
            <summary className="w-fit py-1.5 pointer-coarse:py-3">What you created ({ownCreations.length})</summary>
            <CreationList creations={ownCreations} />
          </details>
        </div>
      ) : null}
      <Table
        caption="Sessions"
        columns={COLUMNS}
        rows={sessions}
        rowKey={({ id }) => id}
        actions={(session) => <SignOut session={session} />}
      />
      <ClearWork />
    </section>
  )
}
