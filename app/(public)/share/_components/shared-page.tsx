"use client"
import { useEffect, useState } from "react"
import { PageHeader } from "@/components/ui/page-header"
import { Skeleton } from "@/components/ui/skeleton"
import { type ReadShare, readShare } from "@/lib/shared/share-link/share-link"
import { ShareProblem } from "./share-problem"
import { SharedRequest } from "./shared-request"

/** Returns the contents of the link's fragment, or null while reading. Another link in the same tab changes only the fragment. */
function useShare(): ReadShare | null {
  const [share, setShare] = useState<ReadShare | null>(null)
  useEffect(() => {
    let newest = 0
    const read = () => {
      const current = ++newest
      void readShare(window.location.hash.slice(1)).then((result) => current === newest && setShare(result))
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

export function SharedPage() {
  const share = useShare()
  return (
    <>
      <PageHeader title="Shared request">
        Someone shared this request with you. The link itself contains it. No server received it.
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
