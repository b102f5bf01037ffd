"use client"
import { useSyncExternalStore } from "react"
import { Alert } from "@/components/ui/alert"
import { Button } from "@/components/ui/button"
import { TextLink } from "@/components/ui/text-link"
import type { RunFailure } from "../model/playground-state"
import { DraftNote } from "./draft-note"

const TITLES: Record<RunFailure, string> = {
  offline: "You are offline",
  unreachable: "The server did not respond",
  timeout: "No answer within 130 seconds",
}

function subscribeToConnection(onChange: () => void): () => void {
  window.addEventListener("online", onChange)
  window.addEventListener("offline", onChange)
  return () => {
    window.removeEventListener("online", onChange)
    window.removeEventListener("offline", onChange)
  }
}

const useOnline = (): boolean =>
  useSyncExternalStore(
    subscribeToConnection,
    () => navigator.onLine,
    () => true,
  )

export function Failed({ reason, onRun }: { reason: RunFailure; onRun: () => void }) {
  const isOnline = useOnline()
  const isBack = reason === "offline" && isOnline
  return (
    <Alert
      tone="danger"
      role="alert"
      title={isBack ? "You are online again" : TITLES[reason]}
      action={
        <Button variant="secondary" size="sm" onClick={onRun}>
          Run again
        </Button>
      }
    >
      <DraftNote />
      {reason === "offline" ? (
        `The request was not answered. Run it again${isBack ? "." : " once you are connected."}`
      ) : (
        <>
          If the request was answered after all, it is listed in <TextLink href="/requests">Requests</TextLink>.
        </>
      )}
    </Alert>
  )
}
