"use client"
import { useEffect, useState } from "react"
import { requestIdOfPage } from "@/lib/shared/request-ids"

/** Returns the id of the request for this page; null if it is unknown. For pages that only the browser renders. */
export function useRequestId(): string | null {
  // Read at once, because an error of the root layout replaces the document that has the id.
  const [id, setId] = useState(requestIdOfPage)
  // Only after the page is shown does the tab have its address.
  useEffect(() => setId((first) => requestIdOfPage() ?? first), [])
  return id
}
