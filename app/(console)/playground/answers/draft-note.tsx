"use client"
import { usePlayground } from "../model/playground-store"

/** Says whether the draft outlives this page. */
export function DraftNote() {
  const isSaved = usePlayground((state) => state.isDraftSaved)
  return (
    <p>
      {isSaved
        ? "Your draft is saved."
        : "Your draft is too long to save in the browser. Copy it before you leave or reload the page."}
    </p>
  )
}
