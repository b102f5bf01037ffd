"use client"
import clsx from "clsx"
import { Check, ChevronsUpDown } from "lucide-react"
import { usePathname } from "next/navigation"
import { type RefObject, useEffect, useLayoutEffect, useRef } from "react"
import { Button } from "@/components/ui/button"
import { TextLink } from "@/components/ui/text-link"
import { ROLES } from "@/lib/shared/accounts/roles"
import type { FrameUser } from "./menu"
import { ThemeChoice } from "./theme/theme-choice"

interface AccountMenuProps {
  user: FrameUser
  onNavigate?: () => void
}

/**
 * Shows the user and the account, above a menu to switch and add accounts, open members and settings, choose the theme and sign out.
 * Uses only native forms and links, so it works without JavaScript.
 */
export function AccountMenu({ user, onNavigate }: AccountMenuProps) {
  const menu = useRef<HTMLDetailsElement>(null)
  useCloseOutside(menu)
  return (
    <details
      ref={menu}
      className="group relative min-w-0"
      onBlur={({ relatedTarget, currentTarget }) => {
        // A press on something that takes no focus is followed by a pointer event instead.
        if (relatedTarget && !currentTarget.contains(relatedTarget)) currentTarget.open = false
      }}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || !menu.current?.open) return
        event.stopPropagation()
        menu.current.open = false
        menu.current.querySelector("summary")?.focus()
      }}
    >
      <summary className="flex cursor-pointer list-none items-center gap-2 rounded-md px-2.5 py-1 hover:bg-sunken pointer-coarse:min-h-11 [&::-webkit-details-marker]:hidden">
        <span className="min-w-0 flex-1">
          <span title={user.email} className="block truncate text-ink-muted text-sm">
            {user.email}
          </span>
          {user.account.name === user.email ? null : (
            <span className="block truncate font-medium text-sm">{user.account.name}</span>
          )}
        </span>
        <span className="sr-only">Account menu</span>
        <ChevronsUpDown aria-hidden className="size-4 shrink-0 text-ink-muted" />
      </summary>
      <div className="absolute inset-x-0 top-full z-30 mt-1 flex flex-col gap-3 rounded-md border border-line bg-surface p-2.5 text-sm shadow-float">
        <AccountChoices user={user} menu={menu} />
        <p className="flex flex-wrap gap-x-4 gap-y-1">
          <TextLink href="/members" onClick={onNavigate} alone className="py-1">
            Members
          </TextLink>
          <TextLink href="/settings" onClick={onNavigate} alone className="py-1">
            Settings
          </TextLink>
          <TextLink href="/settings#accounts" onClick={onNavigate} alone className="py-1">
            Add account
          </TextLink>
        </p>
        <ThemeChoice isSmall />
        <form method="post" action="/api/auth/signout" className="flex flex-col gap-1.5 border-line border-t pt-2.5">
          <p className="text-ink-muted">
            This browser keeps your drafts, past runs and evaluations.{" "}
            <TextLink href="/settings#sessions" onClick={onNavigate}>
              Delete them
            </TextLink>
          </p>
          <Button type="submit" variant="secondary" size="sm" className="self-start">
            Sign out
          </Button>
        </form>
      </div>
    </details>
  )
}

/** Closes the menu at a press outside of it. */
function useCloseOutside(menu: RefObject<HTMLDetailsElement | null>): void {
  useEffect(() => {
    const onPointerDown = ({ target }: PointerEvent) => {
      if (menu.current?.open && target instanceof Node && !menu.current.contains(target)) menu.current.open = false
    }
    document.addEventListener("pointerdown", onPointerDown)
    return () => document.removeEventListener("pointerdown", onPointerDown)
  }, [menu])
}

/** Adds the path of the page to the form, and closes the menu when it changes. Only this component renders again then. */
function CurrentPath({ menu }: { menu: RefObject<HTMLDetailsElement | null> }) {
  const path = usePathname()
  // biome-ignore lint/correctness/useExhaustiveDependencies: closes the menu when the path changes
  useLayoutEffect(() => {
    return () => {
      if (menu.current) menu.current.open = false
    }
  }, [path, menu])
  return <input type="hidden" name="next" value={path} />
}

interface AccountChoicesProps {
  user: FrameUser
  menu: RefObject<HTMLDetailsElement | null>
}

function AccountChoices({ user, menu }: AccountChoicesProps) {
  return (
    <form method="post" action="/api/auth/account" aria-label="Accounts" className="flex flex-col gap-0.5">
      <CurrentPath menu={menu} />
      {user.accounts.map(({ id, name, role, isCurrent }) => (
        <button
          key={id}
          type="submit"
          name="account"
          value={id}
          aria-current={isCurrent ? "true" : undefined}
          className={clsx(
            "flex min-w-0 items-center gap-2 rounded-md px-1.5 py-1 text-left hover:bg-sunken pointer-coarse:min-h-11",
            isCurrent ? "text-ink" : "text-ink-muted hover:text-ink",
          )}
        >
          <span className="min-w-0 flex-1">
            <span className="block truncate">{name}</span>
            <span className="block text-ink-muted text-xs">{ROLES[role].label}</span>
          </span>
          {isCurrent ? <Check aria-hidden className="size-4 shrink-0" /> : null}
        </button>
      ))}
    </form>
  )
}
