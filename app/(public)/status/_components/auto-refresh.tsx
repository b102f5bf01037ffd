"use client"
import { useRouter } from "next/navigation"
import { startTransition, useState } from "react"
import { usePoll } from "@/components/timing/use-poll"
import { Checkbox } from "@/components/ui/checkbox"

const EVERY_MS = 60_000

/** Reloads the page's data every minute while its tab is visible. Readers can turn that off. */
export function AutoRefresh() {
  const router = useRouter()
  const [isOn, setIsOn] = useState(true)
  usePoll(
    isOn,
    () => EVERY_MS,
    async () => {
      if (!document.hidden) startTransition(() => router.refresh())
    },
  )
  return <Checkbox label="Update every minute" checked={isOn} onChange={(event) => setIsOn(event.target.checked)} />
}
