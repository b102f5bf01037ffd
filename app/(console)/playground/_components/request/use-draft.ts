"use client"
import { useEffect, useState } from "react"
import type { UseFormReturn } from "react-hook-form"
import { PlaygroundForm } from "@/lib/playground/schema"

const SAVE_AFTER_MS = 300

function readDraft(name: string): PlaygroundForm | null {
  try {
    const draft = PlaygroundForm.safeParse(JSON.parse(localStorage.getItem(name) ?? "null"))
    return draft.success ? draft.data : null
  } catch {
    return null
  }
}

function writeDraft(name: string, draft: PlaygroundForm): boolean {
  try {
    localStorage.setItem(name, JSON.stringify(draft))
    return true
  } catch {
    return false
  }
}

/**
 * Keeps what is typed in this browser, per account, and brings it back. `ready` once it is back; `kept` is false when the
 * browser has no room for it. `mend` puts right what a draft names and the account no longer has.
 */
export function useDraft(
  form: UseFormReturn<PlaygroundForm>,
  accountId: string,
  mend: (draft: PlaygroundForm) => PlaygroundForm,
): { ready: boolean; kept: boolean } {
  const [ready, setReady] = useState(false)
  const [kept, setKept] = useState(true)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the draft is read once, into the form that the page opens with
  useEffect(() => {
    const name = `playground:${accountId}`
    const draft = readDraft(name)
    if (draft) form.reset(mend(draft))
    setReady(true)
    let timer: ReturnType<typeof setTimeout> | undefined
    const save = () => {
      clearTimeout(timer)
      timer = undefined
      setKept(writeDraft(name, form.getValues()))
    }
    const flush = () => timer !== undefined && save()
    const unsubscribe = form.subscribe({
      formState: { values: true },
      callback: () => {
        clearTimeout(timer)
        timer = setTimeout(save, SAVE_AFTER_MS)
      },
    })
    window.addEventListener("pagehide", flush)
    return () => {
      flush()
      unsubscribe()
      window.removeEventListener("pagehide", flush)
    }
  }, [])
  return { ready, kept }
}
