"use client"
import clsx from "clsx"
import {
  BookOpen,
  ChartColumn,
  ClipboardCheck,
  CreditCard,
  FlaskConical,
  KeyRound,
  Layers,
  type LucideIcon,
  ScrollText,
  Settings,
  Target,
  Users,
  Wallet,
  Webhook,
  Wrench,
} from "lucide-react"
import { usePathname } from "next/navigation"
import { memo } from "react"
import { Link } from "@/components/link/link"
import { Money } from "@/components/ui/money"
import { TextLink } from "@/components/ui/text-link"
import type { Runway } from "@/lib/server/billing/runway"
import type { OwnAccount } from "@/lib/shared/accounts/members"
import { type Role, roleHas } from "@/lib/shared/accounts/roles"
import { isInMenu, type MenuPath, namedPagesOf } from "@/lib/shared/pages"
import { RunProgress } from "./run-progress"

/** The signed-in user, as the console's side bar, top bar and menus show it. */
export interface FrameUser {
  email: string
  role: Role
  isOperator: boolean
  /** The account that is selected in this session. */
  account: OwnAccount
  /** The user's active accounts, the current one first. */
  accounts: OwnAccount[]
}

/** Apart from `PAGES`, because the API's process reads that table and never loads React. */
const ICONS: Record<MenuPath, LucideIcon> = {
  "/playground": FlaskConical,
  "/evaluate": ClipboardCheck,
  "/keys": KeyRound,
  "/budgets": Wallet,
  "/usage": ChartColumn,
  "/requests": ScrollText,
  "/outcomes": Target,
  "/billing": CreditCard,
  "/models": Layers,
  "/docs": BookOpen,
  "/members": Users,
  "/webhooks": Webhook,
  "/settings": Settings,
  "/operator": Wrench,
}

/** Stands for a user who is unknown while the frame cannot be loaded. */
export const ANYONE = { role: "viewer", isOperator: false } as const

interface NavLinksProps {
  user: FrameUser | null
  onNavigate?: () => void
}

export function NavLinks({ user, onNavigate }: NavLinksProps) {
  const current = usePathname()
  return (
    <nav aria-label="Console">
      <ul className="flex flex-col gap-0.5">
        {namedPagesOf(user ?? ANYONE)
          .filter(isInMenu)
          .map(({ path, label }) => (
            <NavItem
              key={path}
              path={path}
              label={label}
              isCurrent={current === path || current.startsWith(`${path}/`)}
              onNavigate={onNavigate}
            />
          ))}
      </ul>
    </nav>
  )
}

interface NavItemProps {
  path: MenuPath
  label: string
  isCurrent: boolean
  onNavigate: (() => void) | undefined
}

/** Memoized: a new page renders only the link that was current and the one that is. */
const NavItem = memo(function NavItem({ path, label, isCurrent, onNavigate }: NavItemProps) {
  const Icon = ICONS[path]
  return (
    <li>
      <Link
        href={path}
        onClick={onNavigate}
        aria-current={isCurrent ? "page" : undefined}
        className={clsx(
          "flex h-9 items-center gap-2.5 rounded-md px-2.5 pointer-coarse:h-11",
          isCurrent ? "bg-accent-soft font-medium text-accent-strong" : "text-ink-muted hover:bg-sunken hover:text-ink",
        )}
      >
        <Icon aria-hidden className="size-4 shrink-0" />
        {label}
        {path === "/evaluate" ? <RunProgress /> : null}
      </Link>
    </li>
  )
})

interface BalanceProps {
  user: FrameUser
  runway: Runway
  onNavigate?: () => void
}

const LEVELS = {
  ok: { label: "Balance", look: "" },
  low: { label: "Low balance", look: "text-warn" },
  empty: { label: "No balance", look: "text-danger" },
} as const

export function Balance({ user, runway: { balanceUsd, level }, onNavigate }: BalanceProps) {
  const { label, look } = LEVELS[level]
  return (
    <div className="flex items-end justify-between gap-2 border-line border-t pt-3">
      <p className="flex min-w-0 flex-col">
        <span className="text-ink-muted text-sm">{label}</span>
        <Money as="balance" usd={balanceUsd} className={clsx("truncate font-medium", look)} />
      </p>
      {roleHas(user.role, "billing.pay") ? (
        <TextLink href="/billing/top-up" onClick={onNavigate} alone className="shrink-0 py-1">
          Top up
        </TextLink>
      ) : null}
    </div>
  )
}
