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
  Settings,
  Wrench,
} from "lucide-react"
import Link from "next/link"
import { usePathname } from "next/navigation"
import { Money } from "@/components/ui/money"
import { TextLink } from "@/components/ui/text-link"

const LINKS: readonly { href: string; label: string; icon: LucideIcon }[] = [
  { href: "/playground", label: "Playground", icon: FlaskConical },
  { href: "/evaluate", label: "Evaluate", icon: ClipboardCheck },
  { href: "/keys", label: "API keys", icon: KeyRound },
  { href: "/usage", label: "Usage", icon: ChartColumn },
  { href: "/billing", label: "Billing", icon: CreditCard },
  { href: "/models", label: "Models", icon: Layers },
  { href: "/docs", label: "Docs", icon: BookOpen },
  { href: "/settings", label: "Settings", icon: Settings },
]

const OPERATOR_LINK = { href: "/operator", label: "Operator", icon: Wrench }

/** Returns the places of the menu. The command menu lists them too. */
export const linksOf = (isOperator: boolean): typeof LINKS => (isOperator ? [...LINKS, OPERATOR_LINK] : LINKS)

interface NavLinksProps {
  isOperator: boolean
  onNavigate?: () => void
}

export function NavLinks({ isOperator, onNavigate }: NavLinksProps) {
  const path = usePathname()
  return (
    <nav aria-label="Console">
      <ul className="flex flex-col gap-0.5">
        {linksOf(isOperator).map(({ href, label, icon: Icon }) => {
          const current = path === href || path.startsWith(`${href}/`)
          return (
            <li key={href}>
              <Link
                href={href}
                onClick={onNavigate}
                aria-current={current ? "page" : undefined}
                className={clsx(
                  "flex h-9 items-center gap-2.5 rounded-md px-2.5 transition-colors duration-150 pointer-coarse:h-11",
                  current
                    ? "bg-accent-soft font-medium text-accent-strong"
                    : "text-ink-muted hover:bg-sunken hover:text-ink",
                )}
              >
                <Icon aria-hidden className="size-4 shrink-0" />
                {label}
              </Link>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}

interface BalanceProps {
  balanceUsd: string
  onNavigate?: () => void
}

export function Balance({ balanceUsd, onNavigate }: BalanceProps) {
  return (
    <div className="flex items-end justify-between gap-2 border-line border-t pt-3">
      <p className="flex min-w-0 flex-col">
        <span className="text-ink-muted text-sm">Balance</span>
        <Money usd={balanceUsd} className="truncate font-medium" />
      </p>
      <TextLink href="/billing/top-up" onClick={onNavigate} alone className="shrink-0 py-1">
        Top up
      </TextLink>
    </div>
  )
}
