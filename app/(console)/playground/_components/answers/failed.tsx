"use client"
import { useEffect, useState } from "react"
import { Alert } from "@/components/ui/alert"
import { Button } from "@/components/ui/button"
import { TextLink } from "@/components/ui/text-link"
import type { Run } from "./use-run"

const TITLES = {
  offline: "You are offline",
  unreachable: "The server did not answer",
  timeout: "No answer within 130 seconds",
} as const

function useOnline(): boolean {
  const [online, setOnline] = useState(true)
  useEffect(() => {
    const look = () => setOnline(navigator.onLine)
    look()
    window.addEventListener("online", look)
    window.addEventListener("offline", look)
    return () => {
      window.removeEventListener("online", look)
      window.removeEventListener("offline", look)
    }
  }, [])
  return online
}

/** Nothing came back: what that may mean, and that nothing typed is lost. */
export function Failed({ why, onRun }: { why: Extract<Run, { phase: "failed" }>["why"]; onRun: () => void }) {
  const online = useOnline()
  const isBack = why === "offline" && online
  return (
    <Alert
      tone="danger"
      role="alert"
      title={isBack ? "You are online again" : TITLES[why]}
      action={
        <Button variant="secondary" size="sm" onClick={onRun}>
          Run again
        </Button>
      }
    >
      What you typed is kept.{" "}
      {why === "offline" ? (
        `The request was not answered. Run it again${isBack ? "." : " once you are connected."}`
      ) : (
        <>
          If the request was answered all the same, it stands in <TextLink href="/usage">Usage</TextLink>.
        </>
      )}
    </Alert>
  )
}
