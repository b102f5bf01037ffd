"use client"
import { useEffect, useState } from "react"
import { PageHeader } from "@/components/ui/page-header"
import { Skeleton } from "@/components/ui/skeleton"
import { type ReadShare, readShare } from "@/lib/shared/playground/share/share-link"
import { ShareProblem } from "./share-problem"
import { SharedRequest } from "./shared-request"

/** What the link's fragment holds; null while it is read. Another link in the same tab changes the fragment alone. */
function useShare(): ReadShare | null {
  const [share, setShare] = useState<ReadShare | null>(null)
  useEffect(() => {
    let newest = 0
    const read = () => {
      const mine = ++newest
      void readShare(window.location.hash.slice(1)).then((result) => mine === newest && setShare(result))
    }
    read()
    window.addEventListener("hashchange", read)
    return () => {
      newest = 0
      window.removeEventListener("hashchange", read)
    }
  }, [])
  return share
}

/** A shared request, read-only. */
export function SharedPage() {
  const share = useShare()
  return (
    <>
      <PageHeader title="Shared request">
        Somebody shared this with you. It came in the link itself and was sent to no server.
      </PageHeader>
      {share === null ? (
        <Skeleton className="h-64" />
      ) : share.ok ? (
        <SharedRequest shared={share.shared} />
      ) : (
        <ShareProblem why={share.why} />
      )}
    </>
  )
}
