"use client"
import type { ReactNode } from "react"
import { CommandMenu } from "@/components/command-menu/command-menu"
import type { Command } from "@/components/command-menu/commands"
import { type Right, roleHas } from "@/lib/shared/accounts/roles"
import { type FrameUser, linksOf } from "./menu"
import { chooseTheme } from "./theme/theme"

/** The right that a command needs, by its id. Every role can use the commands that are not listed. */
const RIGHTS: Record<string, Right> = {
  "/billing/statement": "billing.read",
  "/settings/audit": "audit.read",
  "/settings/webhooks": "webhooks.manage",
  "create-key": "keys.manage",
  "top-up": "billing.pay",
}

/** Pages that the side bar does not list. */
const MORE_PAGES: readonly Command[] = [
  {
    id: "/billing/statement",
    href: "/billing/statement",
    label: "Monthly statement",
    keywords: "invoice receipt print",
    isMinor: true,
  },
  { id: "/settings/audit", href: "/settings/audit", label: "Audit log", keywords: "history changes", isMinor: true },
  {
    id: "/settings/webhooks",
    href: "/settings/webhooks",
    label: "Webhooks",
    keywords: "callbacks events notify",
    isMinor: true,
  },
  { id: "/start", href: "/start", label: "First steps", keywords: "onboarding quickstart", isMinor: true },
  { id: "/status", href: "/status", label: "Status of the service", keywords: "uptime incident down", isMinor: true },
]

const WORDS: Record<string, string> = {
  "/playground": "run try request",
  "/evaluate": "test labels threshold calibration",
  "/keys": "tokens secrets",
  "/usage": "requests log spend tokens",
  "/billing": "balance ledger payments",
  "/models": "prices alias",
  "/docs": "help guide api",
  "/settings": "account e-mail theme sessions sign out",
}

const LOOK = "colour color appearance mode"

const ACTIONS: readonly Command[] = [
  { id: "create-key", href: "/keys?create=1", label: "Create an API key", keywords: "new token secret" },
  { id: "top-up", href: "/billing/top-up", label: "Top up", keywords: "add credit pay balance money" },
  { id: "light", run: () => chooseTheme("light"), label: "Use the light theme", keywords: LOOK, isMinor: true },
  { id: "dark", run: () => chooseTheme("dark"), label: "Use the dark theme", keywords: LOOK, isMinor: true },
  { id: "system", run: () => chooseTheme("system"), label: "Use the system's theme", keywords: LOOK, isMinor: true },
]

interface ConsoleCommandsProps {
  user: FrameUser
  isApple: boolean
  children: ReactNode
}

/** Offers the command menu with the pages and actions of the console. */
export function ConsoleCommands({ user, isApple, children }: ConsoleCommandsProps) {
  const links = linksOf(user).map(({ href, label }) => ({ id: href, href, label, keywords: WORDS[href] }))
  const isAllowed = ({ id }: Command) => {
    const right = RIGHTS[id]
    return right === undefined || roleHas(user.role, right)
  }
  return (
    <CommandMenu
      pages={[...links, ...MORE_PAGES.filter(isAllowed)]}
      actions={ACTIONS.filter(isAllowed)}
      isSignedIn
      isApple={isApple}
    >
      {children}
    </CommandMenu>
  )
}
