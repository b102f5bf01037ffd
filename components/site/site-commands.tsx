"use client"
import type { ReactNode } from "react"
import { CommandMenu } from "../command-menu/command-menu"
import type { Command } from "../command-menu/commands"

const PUBLIC: readonly Command[] = [
  { id: "/models", href: "/models", label: "Models and prices", keywords: "alias cost" },
  { id: "/docs", href: "/docs", label: "Docs", keywords: "help guide api quickstart" },
  { id: "/status", href: "/status", label: "Status of the service", keywords: "uptime incident down" },
]

const SIGNED_IN: Command = { id: "/playground", href: "/playground", label: "Playground", keywords: "console run try" }
const SIGNED_OUT: Command = { id: "/sign-in", href: "/sign-in", label: "Sign in", keywords: "log in account sign up" }

interface SiteCommandsProps {
  isSignedIn: boolean
  isApple: boolean
  children: ReactNode
}

/** Offers the command menu with the public pages. */
export function SiteCommands({ isSignedIn, isApple, children }: SiteCommandsProps) {
  return (
    <CommandMenu pages={[...PUBLIC, isSignedIn ? SIGNED_IN : SIGNED_OUT]} isSignedIn={isSignedIn} isApple={isApple}>
      {children}
    </CommandMenu>
  )
}
