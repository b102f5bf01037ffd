import Combobox from "@github/combobox-nav"
import { Search } from "lucide-react"
import {
  type ReactNode,
  type RefObject,
  startTransition,
  useEffect,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react"
import { flushSync } from "react-dom"
import { Link } from "@/components/link/link"
import { countOf } from "@/lib/shared/format"
import { Kbd } from "../ui/kbd"
import type { Commands, View } from "./commands"
import { type Group, listGroups, type Option } from "./groups"
import type { Sources } from "./use-sources"

interface SearchViewProps {
  view: View
  commands: Commands
  sources: Sources
  takeTyped: () => string
  onQuery: (query: string) => void
  onView: (view: View) => void
  onClose: () => void
  close: ReactNode
}

/**
 * Moves the selection of a list from its input: arrows, Enter, and `aria-activedescendant`. Returns a function that selects
 * the first option when none is selected.
 */
function useCombobox(input: RefObject<HTMLInputElement | null>, list: RefObject<HTMLElement | null>): () => void {
  const combobox = useRef<Combobox>(null)
  useEffect(() => {
    if (!input.current || !list.current) return
    const created = new Combobox(input.current, list.current, {
      tabInsertsSuggestions: false,
      firstOptionSelectionMode: "selected",
    })
    combobox.current = created
    created.start()
    return () => created.destroy()
  }, [input, list])
  return () => {
    if (!list.current?.querySelector('[aria-selected="true"]')) combobox.current?.resetSelection()
  }
}

/** Lists what matches as the user types. The focus stays in the input. */
export function SearchView({ view, commands, sources, takeTyped, onQuery, onView, onClose, close }: SearchViewProps) {
  const [query, setQuery] = useState("")
  // Follows `query` after the typed letter is painted.
  const [listed, setListed] = useState("")
  const input = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const id = useId()
  const selectFirst = useCombobox(input, list)
  const groups = useMemo(
    () => listGroups(commands, sources, listed, view, new Date()),
    [commands, sources, listed, view],
  )
  // Typing clears the selection. An option that was selected may be gone, too.
  const onList = useEffectEvent(selectFirst)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new list selects its first option
  useEffect(() => onList(), [groups])
  const count = groups.reduce((sum, { options }) => sum + options.length, 0)
  const isCount = count > 0 && sources.failed.length === 0
  const label = view === "docs" ? "Search the docs" : "Search pages, keys, requests and docs"
  const type = (text: string) => {
    setQuery(text)
    startTransition(() => setListed(text))
    onQuery(text)
  }
  const typeAhead = useEffectEvent(() => {
    const typed = takeTyped()
    if (typed) type(typed)
  })
  useLayoutEffect(() => typeAhead(), [])
  // Enter and the arrows act on the results of the whole query, even right after its last letter.
  const catchUp = () => {
    flushSync(() => setListed(query))
    selectFirst()
  }
  return (
    <>
      <div className="flex items-center gap-2 border-line border-b px-3 py-2">
        <Search aria-hidden className="size-4 shrink-0 text-ink-muted" />
        <QueryInput input={input} label={label} query={query} onType={type} onKey={catchUp} />
        {close}
      </div>
      <div
        ref={list}
        id={`${id}list`}
        role="listbox"
        aria-label="Results"
        className="min-h-0 flex-1 overflow-y-auto overscroll-contain p-2 empty:flex-none empty:p-0"
      >
        {groups.map((group, index) => (
          <GroupView key={group.label} id={`${id}${index}`} group={group} onClose={onClose} />
        ))}
      </div>
      <p role="status" className={isCount ? "sr-only" : "px-5 py-4 text-ink-muted"}>
        {messageOf(count, listed, view, sources)}
      </p>
      <Hints onShortcuts={() => onView("shortcuts")} />
    </>
  )
}

interface QueryInputProps {
  input: RefObject<HTMLInputElement | null>
  label: string
  query: string
  onType: (text: string) => void
  /** Called before a key that moves in the list or opens an option. */
  onKey: () => void
}

const LIST_KEYS = ["Enter", "ArrowDown", "ArrowUp"]

function QueryInput({ input, label, query, onType, onKey }: QueryInputProps) {
  return (
    <input
      ref={input}
      // biome-ignore lint/a11y/noAutofocus: a modal dialog must take the focus
      autoFocus
      type="search"
      value={query}
      onChange={(event) => onType(event.target.value)}
      onKeyDownCapture={({ key }) => (LIST_KEYS.includes(key) ? onKey() : undefined)}
      aria-label={label}
      placeholder={label}
      maxLength={100}
      autoComplete="off"
      spellCheck={false}
      className="h-9 min-w-0 flex-1 bg-transparent text-ink text-md outline-none placeholder:text-ink-muted pointer-coarse:h-11 [&::-webkit-search-cancel-button]:hidden"
    />
  )
}

function Hints({ onShortcuts }: { onShortcuts: () => void }) {
  return (
    <footer className="flex items-center justify-between gap-4 border-line border-t px-3 py-1.5 text-ink-muted text-sm pointer-coarse:hidden">
      <span aria-hidden className="flex items-center gap-3">
        <span>
          <Kbd>↑</Kbd> <Kbd>↓</Kbd> to move
        </span>
        <span>
          <Kbd>↵</Kbd> to open
        </span>
      </span>
      <button type="button" onClick={onShortcuts} className="rounded-sm py-1 hover:text-ink">
        Keyboard shortcuts
      </button>
    </footer>
  )
}

function messageOf(count: number, query: string, view: View, { account, docs, failed, byId }: Sources): string {
  if (failed.includes("account")) return "Keys and requests could not be loaded. Close this menu and open it again."
  if (failed.includes("docs")) return "The docs could not be loaded. Close this menu and open it again."
  if (count > 0) return countOf(count, "result")
  if (docs === null || (view === "all" && account === null && query === "")) return "Loading…"
  if (byId && byId.id === query.trim()) return "No request of this account has this id."
  return view === "docs"
    ? "No section contains all of these words. Try fewer words, or an error code."
    : "Nothing matches. Try fewer words."
}

function GroupView({ id, group, onClose }: { id: string; group: Group; onClose: () => void }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot group the options of a list
    <div role="group" aria-labelledby={id} className="pb-2">
      <p id={id} className="px-2 py-1.5 font-medium text-ink-muted text-xs">
        {group.label}
      </p>
      {group.options.map((option) => (
        <OptionView key={option.id} id={`${id}${option.id}`} option={option} onClose={onClose} />
      ))}
    </div>
  )
}

const OPTION =
  "flex min-h-9 w-full cursor-pointer flex-col justify-center rounded-md px-2 py-1.5 text-left text-ink hover:bg-sunken aria-selected:bg-accent-soft aria-selected:text-accent-strong pointer-coarse:min-h-11"

/** The option of a page is a link, so that it can be opened in a new tab. */
function OptionView({ id, option, onClose }: { id: string; option: Option; onClose: () => void }) {
  const { label, detail, mono, href, run } = option
  const content = (
    <>
      <span className={mono ? "break-all font-mono text-sm" : "break-words"}>{label}</span>
      {detail ? <span className="line-clamp-2 break-words text-ink-muted text-sm">{detail}</span> : null}
    </>
  )
  if (href !== undefined)
    return (
      <Link id={id} role="option" tabIndex={-1} href={href} prefetch={false} onClick={onClose} className={OPTION}>
        {content}
      </Link>
    )
  const act = () => {
    onClose()
    run?.()
  }
  return (
    <button id={id} type="button" role="option" tabIndex={-1} onClick={act} className={OPTION}>
      {content}
    </button>
  )
}
