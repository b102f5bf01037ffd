"use client"
import type { ReactNode } from "react"
import { CommandMenu } from "@/components/command-menu/command-menu"
import type { Command } from "@/components/command-menu/commands"
import { roleHas } from "@/lib/shared/accounts/roles"
import { type NamedPage, namedPagesOf } from "@/lib/shared/pages"
import { type Action, COMMON_ACTIONS } from "./common-actions"
import { ANYONE, type FrameUser } from "./menu"
import { switchTo } from "./switch-to"
import { chooseTheme } from "./theme/theme"

const LOOK = "colour color appearance mode"

const ACTIONS: readonly Action[] = [
  ...COMMON_ACTIONS,
  {
    id: "create-key",
    href: "/keys?create=1",
    label: "Create an API key",
    keywords: "new token secret",
    right: "keys.manage",
  },
  {
    id: "top-up",
    href: "/billing/top-up",
    label: "Top up",
    keywords: "add credit pay balance money",
    right: "billing.pay",
  },
  {
    id: "add-account",
    href: "/settings#accounts",
    label: "Add an account",
    keywords: "new create team client staging",
  },
  { id: "light", run: () => chooseTheme("light"), label: "Use the light theme", keywords: LOOK, isMinor: true },
  { id: "dark", run: () => chooseTheme("dark"), label: "Use the dark theme", keywords: LOOK, isMinor: true },
  { id: "system", run: () => chooseTheme("system"), label: "Use the system's theme", keywords: LOOK, isMinor: true },
]

const commandOf = ({ path, label, keywords, isInMenu }: NamedPage): Command => ({
  id: path,
  href: path,
  label,
  keywords,
  isMinor: !isInMenu,
})

/** Switches to each other account of the user. */
const switchesOf = (user: FrameUser | null): Command[] =>
  (user?.accounts ?? [])
    .filter(({ isCurrent }) => !isCurrent)
    .map(({ id, name }) => ({
      id: `switch-${id}`,
      run: () => switchTo(id, window.location.pathname),
      label: `Switch to ${name}`,
      keywords: "account team",
    }))

interface ConsoleCommandsProps {
  user: FrameUser | null
  isApple: boolean
  children: ReactNode
}

/** Offers the command menu with the pages and actions of the console. */
export function ConsoleCommands({ user, isApple, children }: ConsoleCommandsProps) {
  const { role, isOperator } = user ?? ANYONE
  return (
    <CommandMenu
      pages={namedPagesOf({ role, isOperator }).map(commandOf)}
      actions={[...ACTIONS.filter(({ right }) => right === undefined || roleHas(role, right)), ...switchesOf(user)]}
      isSignedIn
      isApple={isApple}
    >
      {children}
    </CommandMenu>
  )
}
