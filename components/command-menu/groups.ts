import { formatRelative } from "@/lib/shared/format"
import type { FoundKey, FoundRequest } from "@/lib/shared/search/account-search"
import { bestRank, type Entry, matchEntries } from "@/lib/shared/search/match-entries"
import type { Command, Commands, View } from "./commands"
import type { Sources } from "./use-sources"

export interface Option extends Entry {
  href?: string
  run?: () => unknown
  /** Shows the label in the monospace font, for ids. */
  mono?: boolean
}

export interface Group {
  label: string
  options: Option[]
}

const MAX_KEYS = 5
const MAX_RECENT = 5
const MAX_DOCS = 6

const STATUS = {
  active: "Active",
  paused: "Paused",
  limit_reached: "Limit reached",
  expired: "Expired",
  revoked: "Revoked",
} as const

const keyOption = ({ id, name, masked, status }: FoundKey): Option => ({
  id,
  label: name,
  detail: [masked, STATUS[status]].filter(Boolean).join(" · "),
  href: `/keys/${id}`,
})

const requestOption = ({ id, at, keyName, status, code }: FoundRequest, now: Date): Option => ({
  id,
  label: id,
  mono: true,
  detail: [code ? `${status} ${code}` : status, keyName, formatRelative(new Date(at), now)].join(" · "),
  href: `/requests/${id}`,
})

function requestOptions({ account, byId }: Sources, query: string, now: Date): Option[] {
  const recent = (account?.requests ?? []).map((request) => requestOption(request, now))
  const matching = matchEntries(recent, query).slice(0, MAX_RECENT)
  const isLookedUp = byId?.request && byId.id === query.trim() && !matching.some(({ id }) => id === byId.id)
  return isLookedUp && byId.request ? [requestOption(byId.request, now), ...matching] : matching
}

function docsOptions({ docs }: Sources, query: string, view: View): Option[] {
  if (!docs) return []
  if (query.trim() !== "")
    return docs
      .search(query)
      .slice(0, view === "docs" ? undefined : MAX_DOCS)
      .map(({ path, title, excerpt }) => ({ id: path, label: title, detail: excerpt, href: path }))
  return view === "docs" ? docs.pages.map(({ path, title }) => ({ id: path, label: title, href: path })) : []
}

/**
 * Returns what the menu lists for a query, without empty groups. The group whose best label matches best comes first, so that
 * the name of a key is above a page that only contains it. Docs match by their own index and come last.
 */
export function listGroups(commands: Commands, sources: Sources, query: string, view: View, now: Date): Group[] {
  const docs = { label: "Docs", options: docsOptions(sources, query, view) }
  if (view === "docs") return [docs].filter(({ options }) => options.length > 0)
  const match = (list: readonly Command[]) =>
    matchEntries(list, query).filter(({ isMinor }) => query.trim() !== "" || !isMinor)
  const keys = (sources.account?.keys ?? []).map(keyOption)
  const groups = [
    { label: "Pages", options: match(commands.pages) },
    { label: "Actions", options: match(commands.actions) },
    {
      label: query === "" ? "Recent requests" : "Requests",
      options: requestOptions(sources, query, now),
    },
    { label: "API keys", options: matchEntries(keys, query).slice(0, MAX_KEYS) },
  ]
  const byRank = groups.toSorted((one, other) => bestRank(one.options, query) - bestRank(other.options, query))
  return [...byRank, docs].filter(({ options }) => options.length > 0)
}
