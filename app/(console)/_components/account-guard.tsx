"use client"
import { usePathname } from "next/navigation"
import { useEffect, useState } from "react"
import { Button } from "@/components/ui/button"
import { Dialog, DialogActions } from "@/components/ui/dialog"
import type { OwnAccount } from "@/lib/shared/accounts/members"

const STORED = "svcd-account"

/** Reports whether another tab of this browser shows another account since this tab was loaded. */
function useIsLeftBehind(accountId: string): [boolean, (isLeft: boolean) => void] {
  const [isLeft, setLeft] = useState(false)
  useEffect(() => {
    try {
      localStorage.setItem(STORED, accountId)
    } catch {
      // Without storage the server alone refuses what this tab does.
    }
    // Storage events reach all other tabs. A page that returns from the browser's cache missed them.
    const compare = () => {
      const now = localStorage.getItem(STORED)
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

/** Shows in a tab that was left open that another tab switched the account, and offers both. The server refuses its changes anyway. */
export function AccountGuard({ accountId, account }: { accountId: string; account: OwnAccount }) {
  const path = usePathname()
  const [isLeft, setLeft] = useIsLeftBehind(accountId)
  return (
    <Dialog
      open={isLeft}
      onOpenChange={setLeft}
      title="You switched to another account"
      description={`This tab still shows “${account.name}”. What you do here is refused, so that it never happens in the other account.`}
    >
      <form method="post" action="/api/auth/account">
        <input type="hidden" name="next" value={path} />
        <DialogActions>
          <Button type="submit" name="account" value={account.id} variant="secondary">
            Switch back
          </Button>
          <Button onClick={() => window.location.reload()}>Open the other account here</Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
