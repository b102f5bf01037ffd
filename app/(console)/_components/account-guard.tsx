"use client"
import { lazy, Suspense, useEffect, useState } from "react"
import type { OwnAccount } from "@/lib/shared/accounts/members"
import { readStored, writeStored } from "@/lib/shared/browser-storage"

// Few tabs ever show it. In each page's code, the dialog's 25 kB would delay every page.
const SwitchedDialog = lazy(() => import("./switched-dialog").then((file) => ({ default: file.SwitchedDialog })))

const STORED = "svcd-account"

/** Returns whether another tab switched the account since this tab was loaded, and a function that sets this. */
function useIsLeftBehind(accountId: string): [boolean, (isLeft: boolean) => void] {
  const [isLeft, setLeft] = useState(false)
  useEffect(() => {
    // Without storage no dialog appears. The server still refuses changes from this tab.
    writeStored(STORED, accountId)
    // Storage events reach all other tabs. A page that returns from the browser's cache missed them.
    const compare = () => {
      const now = readStored(STORED)
      if (now !== null) setLeft(now !== accountId)
    }
    const onStorage = ({ key }: StorageEvent) => (key === STORED ? compare() : undefined)
    const onShow = ({ persisted }: PageTransitionEvent) => (persisted ? compare() : undefined)
    window.addEventListener("storage", onStorage)
    window.addEventListener("pageshow", onShow)
    return () => {
      window.removeEventListener("storage", onStorage)
      window.removeEventListener("pageshow", onShow)
    }
  }, [accountId])
  return [isLeft, setLeft]
}

/** Shows a dialog once another tab has switched the account. It offers both accounts. The server refuses changes from this tab anyway. */
export function AccountGuard({ accountId, account }: { accountId: string; account: OwnAccount }) {
  const [isLeft, setLeft] = useIsLeftBehind(accountId)
  if (!isLeft) return null
  return (
    <Suspense>
      <SwitchedDialog account={account} onClose={() => setLeft(false)} />
    </Suspense>
  )
}
