"use client"
import { useRouter } from "next/navigation"
import { useTransition } from "react"
import { useRetries } from "@/components/timing/use-retries"

/** Loads a frame again that could not be loaded, once the service is ready. A page that needs no database shows in it meanwhile. */
export function FrameRetry() {
  const router = useRouter()
  const [, startTransition] = useTransition()
  useRetries(() => startTransition(() => router.refresh()))
  return null
}
