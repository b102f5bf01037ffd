"use client"
import { usePlayground } from "../model/playground-store"

/** Says whether the draft outlives this page. */
export function DraftNote() {
  const isSaved = usePlayground((state) => state.isDraftSaved)
  return (
    <p>
      {isSaved
        ? "Your draft is saved."
        : "This browser cannot save your draft: it is too long, or storage is blocked. Copy it before you leave or reload."}
    </p>
  )
}
