import { useRef, useState } from "react"
import type { AccountSearch, FoundRequest } from "@/lib/shared/search/account-search"
import type { DocsHit, DocsSection } from "@/lib/shared/search/search-docs"
import type { View } from "./commands"

interface DocsSource {
  pages: { path: string; title: string }[]
  search: (query: string) => DocsHit[]
}

/** What the menu finds besides pages and actions. `account` and `docs` are null until loaded; `account` stays null when signed out. */
export interface Sources {
  account: AccountSearch | null
  docs: DocsSource | null
  failed: readonly ("account" | "docs")[]
  /** The last lookup of a whole request id; null before one. `request` is null when the account has no request with this id. */
  byId: { id: string; request: FoundRequest | null } | null
}

const NONE: Sources = { account: null, docs: null, failed: [], byId: null }
const REQUEST_ID = /^req_[0-9a-z]{26}$/

async function readAccount(query = ""): Promise<AccountSearch> {
  const response = await fetch(`/search${query}`)
  if (!response.ok) throw new Error(`/search returned ${response.status}`)
  return response.json()
}

/** Loads the text of the docs and indexes it in this tab. The search's code loads with it. */
async function loadDocs(): Promise<DocsSource> {
  const { indexDocs } = await import("@/lib/shared/search/search-docs")
  const response = await fetch("/docs/search.json")
  if (!response.ok) throw new Error(`/docs/search.json returned ${response.status}`)
  const sections: DocsSection[] = await response.json()
  const pages = sections.filter(({ path }) => !path.includes("#"))
  return { pages: pages.map(({ path, title }) => ({ path, title })), search: await indexDocs(sections) }
}

/** Indexed once in each tab. */
let docs: Promise<DocsSource> | null = null

function readDocs(): Promise<DocsSource> {
  docs ??= loadDocs()
  docs.catch(() => {
    docs = null
  })
  return docs
}

/** Returns what the menu searches, and functions that load it when the menu opens or an id is typed. */
export function useSources(isSignedIn: boolean) {
  const [sources, setSources] = useState(NONE)
  const lastTyped = useRef("")
  const change = (next: Partial<Sources>) => setSources((before) => ({ ...before, ...next }))
  const fail = (what: "account" | "docs") => () =>
    setSources((before) => ({ ...before, failed: [...before.failed.filter((one) => one !== what), what] }))

  const load = (view: View) => {
    if (view === "shortcuts") return
    change({ failed: [], byId: null })
    if (isSignedIn && view === "all") readAccount().then((account) => change({ account }), fail("account"))
    readDocs().then((read) => change({ docs: read }), fail("docs"))
  }
  const findRequest = (query: string) => {
    const id = query.trim()
    lastTyped.current = id
    if (!isSignedIn || !REQUEST_ID.test(id)) return
    const isLast = () => lastTyped.current === id
    readAccount(`?request=${id}`).then(
      ({ requests: [request = null] }) => isLast() && change({ byId: { id, request } }),
      () => isLast() && fail("account")(),
    )
  }
  return { sources, load, findRequest }
}
