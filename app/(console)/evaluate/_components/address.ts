export type SetTab = "rows" | "questions" | "run" | "results" | "compare" | "probe"

export const addressOf = (setId: string, tab: SetTab): string => `/evaluate?${new URLSearchParams({ set: setId, tab })}`

const TABS: readonly SetTab[] = ["rows", "questions", "run", "results", "compare", "probe"]

export const tabOf = (value: string | null): SetTab => TABS.find((tab) => tab === value) ?? "rows"

/** Shows another tab of a set. The server is not asked: it knows nothing about sets. */
export const showTab = (setId: string, tab: SetTab): void =>
  window.history.replaceState(null, "", addressOf(setId, tab))
