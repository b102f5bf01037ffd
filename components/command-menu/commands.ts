import type { Entry } from "@/lib/shared/search/match-entries"

/** A page to open, or something to do. */
export type Command = Entry & {
  /** Lists it only once a query matches it, to keep the initial list short. */
  isMinor?: boolean
} & ({ href: string; run?: undefined } | { href?: undefined; run: () => unknown })

export interface Commands {
  pages: readonly Command[]
  actions: readonly Command[]
}

/** `docs` searches only the docs. `shortcuts` lists the keyboard shortcuts. */
export type View = "all" | "docs" | "shortcuts"

/** The storage key for whether "?" opens the list of shortcuts. Users of speech input can turn single keys off (WCAG 2.1.4). */
export const QUESTION_MARK = "shortcut-question-mark"
