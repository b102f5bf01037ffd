"use client"
import { useSearchParams } from "next/navigation"
import { lazy, Suspense } from "react"
import { Skeleton } from "@/components/ui/skeleton"
import type { RunAccount } from "@/lib/shared/runs/model-choice"
import { SetList } from "./_components/sets/set-list"
import { AccountProvider } from "./model/open-set"

// The list of sets does not wait for what a set needs: reading rows, running and checking questions.
const SetPage = lazy(async () => ({ default: (await import("./set-parts")).SetPage }))

/** Shows the saved sets, or the set that the address names. Sets are in this browser, so the server knows none of them. */
export function Evaluate(account: RunAccount) {
  const id = useSearchParams().get("set")
  return (
    <AccountProvider account={account}>
      {id === null ? (
        <SetList />
      ) : (
        <Suspense fallback={<Skeleton className="h-64" />}>
          <SetPage key={id} id={id} />
        </Suspense>
      )}
    </AccountProvider>
  )
}
