"use client"
import { useEffect, useState } from "react"
import { Button } from "@/components/ui/button"
import { nameLocalWork, readLocalWork } from "@/lib/shared/local-work"

/** Returns the name of the work that this browser stores. Null until it is counted, and without any. */
function useLocalWork(): string | null {
  const [work, setWork] = useState<string | null>(null)
  useEffect(() => {
    readLocalWork().then(
      (counted) => setWork(nameLocalWork(counted)),
      () => undefined,
    )
  }, [])
  return work
}

/** Offers to delete the work in this browser, which signing out keeps. Renders nothing without any, or without JavaScript. */
export function ClearWork() {
  const work = useLocalWork()
  if (work === null) return null
  return (
    <form method="post" action="/api/auth/signout" className="flex flex-wrap items-center gap-x-3 gap-y-2 pt-3 text-sm">
      <p className="max-w-text text-ink-muted">
        Signing out keeps your work in this browser, where its next user can read it.
      </p>
      <Button
        type="submit"
        name="clear"
        value="on"
        variant="secondary"
        size="sm"
        className="h-auto! min-h-8 shrink! whitespace-normal! py-1 text-left"
      >
        Delete {work}, and sign out
      </Button>
    </form>
  )
}

/** Names the work in this browser that is deleted together with the user. */
export function ClearedWork() {
  const work = useLocalWork()
  if (work === null) return null
  return <p className="text-sm">Your work in this browser is deleted too: {work}.</p>
}
