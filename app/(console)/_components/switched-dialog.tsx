"use client"
import { usePathname } from "next/navigation"
import { Button } from "@/components/ui/button"
import { Dialog, DialogActions } from "@/components/ui/dialog"
import type { OwnAccount } from "@/lib/shared/accounts/members"

interface SwitchedDialogProps {
  /** The account that this tab still shows. */
  account: OwnAccount
  onClose(): void
}

/** Reports that another tab switched the account. Offers to switch back, or to open the other account here. */
export function SwitchedDialog({ account, onClose }: SwitchedDialogProps) {
  const path = usePathname()
  return (
    <Dialog
      open
      onOpenChange={onClose}
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
