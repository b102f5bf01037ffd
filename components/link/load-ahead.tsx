"use client"
import type { PrefetchKind } from "next/dist/client/components/router-reducer/router-reducer-types"
import { usePathname, useRouter, useSearchParams } from "next/navigation"
import { createContext, type ReactNode, use, useEffect, useState } from "react"
import { afterPaint } from "@/components/timing/after-paint"
import { PageAges } from "./page-ages"

/** A pointer that stays on a link for this long is about to follow it. One that only crosses a menu leaves each link sooner. */
const DWELL_MS = 50
/** Loads the whole page with its data. Next's default loads only its route. */
const WHOLE = { kind: "full" as PrefetchKind }
/** Pages that are never loaded ahead: those of the operator, and those that change the account or ask to. */
const NEVER_AHEAD = /^\/(operator|api|open|join)(\/|$)/

/** Loads the page of one link ahead. */
interface LoadAhead {
  /** Loads the page now. */
  load: (href: string) => void
  /** Loads the page shortly, unless `drop` is called before. */
  plan: (href: string) => void
  drop: () => void
}

const Context = createContext<LoadAhead | null>(null)

/** Returns props that load a link's page when the user is about to follow it. None outside the console, or if it is never loaded ahead. */
export function useLoadAhead(href: string, prefetch: boolean | undefined) {
  const ahead = use(Context)
  if (ahead === null || prefetch === false || !href.startsWith("/") || NEVER_AHEAD.test(href)) return {}
  return {
    onPointerEnter: () => ahead.plan(href),
    onPointerLeave: ahead.drop,
    onPointerDown: () => ahead.load(href),
    onFocus: () => ahead.plan(href),
    onBlur: ahead.drop,
  }
}

const addressOf = (path: string, query: string): string => (query ? `${path}?${query}` : path)

function createLoadAhead(ages: PageAges, prefetch: (href: string, options: typeof WHOLE) => void): LoadAhead {
  let timer: ReturnType<typeof setTimeout> | undefined
  const drop = () => clearTimeout(timer)
  const load = (href: string) => {
    drop()
    const { pathname, search, searchParams } = new URL(href, window.location.href)
    if (pathname === window.location.pathname && search === window.location.search) return
    ages.loadAhead(addressOf(pathname, searchParams.toString()), Date.now())
    prefetch(href, WHOLE)
  }
  const plan = (href: string) => {
    drop()
    timer = setTimeout(load, DWELL_MS, href)
  }
  return { load, plan, drop }
}

/** Lets the links below load pages ahead. A page that was loaded over two seconds before it is shown is refreshed once it is painted. */
export function LoadAheadProvider({ children }: { children: ReactNode }) {
  const router = useRouter()
  const [ages] = useState(() => new PageAges())
  const [ahead] = useState(() => createLoadAhead(ages, router.prefetch))
  const address = addressOf(usePathname(), useSearchParams().toString())
  useEffect(() => {
    if (ages.show(address, Date.now())) afterPaint(router.refresh)
  }, [address, ages, router])
  return <Context value={ahead}>{children}</Context>
}
