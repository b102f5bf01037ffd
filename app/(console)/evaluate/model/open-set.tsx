"use client"
import { createContext, type ReactNode, useContext, useState } from "react"
import { createStore, useStore } from "zustand"
import { type ColumnValues, columnValues } from "@/lib/shared/evaluate/rows/column-values"
import type { DataRow, EvaluationSet } from "@/lib/shared/evaluate/rows/evaluation-set"
import type { RowSummary } from "@/lib/shared/evaluate/rows/summarize-rows"
import { type AskedRows, askedRows, labelsOf } from "@/lib/shared/evaluate/run/asked-rows"
import type { EvaluationRun, RowResult, RunProgress } from "@/lib/shared/evaluate/run/evaluation-run"
import type { RunAccount } from "@/lib/shared/runs/model-choice"
import { resultsOf, saveRuns, saveSet, saveSetAndRows } from "./evaluation-store"

/** The set that the page shows. */
export interface OpenSet {
  set: EvaluationSet
  rows: DataRow[]
  /** Newest first. */
  runs: EvaluationRun[]
  /** The run that the page shows; null before the first one. */
  run: EvaluationRun | null
  /** The results of `run`. While it runs they are as old as the last load. */
  results: RowResult[]
  /** Null until the rows are read. After a change it is outdated until they are read again. */
  summary: RowSummary | null
  /** Present while this tab runs the set. */
  progress: Omit<RunProgress, "run"> | null
  /** What went wrong with the run in this tab. */
  problem: RunProblem | null
  /** The page shows a change of the set or of a run that the browser did not store. */
  isUnstored: boolean
}

export type RunProblem = "busy" | "not_stored" | "not_runnable" | "worker_failed"

/** Returns the run to show first: the one that is running, else the newest that has begun. Null when there is none. */
export const firstShown = (runs: readonly EvaluationRun[]): EvaluationRun | null =>
  runs.find(({ status }) => status === "running") ?? runs.find(({ pause }) => pause?.kind !== "queued") ?? null

export function createOpenSet(opened: Pick<OpenSet, "set" | "rows" | "runs" | "run" | "results">) {
  const store = createStore<OpenSet>(() => ({
    ...opened,
    summary: null,
    progress: null,
    problem: null,
    isUnstored: false,
  }))
  const update = (change: Partial<OpenSet>) => store.setState(change)
  let choices = 0
  const values = new Map<string, ColumnValues>()
  let asked: { key: string; rows: AskedRows } | null = null
  /** Writes that failed, by what they store. A later write of the same replaces them. */
  const unstored = new Map<string, () => Promise<void>>()
  /** Stores a change that is shown in any case. */
  const keep = async (id: string, write: () => Promise<void>): Promise<void> => {
    const isStored = await write().then(
      () => true,
      () => false,
    )
    if (isStored) unstored.delete(id)
    else unstored.set(id, write)
    if (store.getState().isUnstored !== unstored.size > 0) update({ isUnstored: unstored.size > 0 })
  }
  /** Replaces a run wherever it is shown. A new run is added and shown. */
  const replaceRun = (run: EvaluationRun): void => {
    const { runs, run: shown } = store.getState()
    const isNew = runs.every(({ id }) => id !== run.id)
    update({
      runs: isNew ? [run, ...runs] : runs.map((other) => (other.id === run.id ? run : other)),
      run: isNew || shown?.id === run.id ? run : shown,
      // The results that were shown are another run's.
      ...(isNew && { results: [] }),
    })
  }
  return {
    store,
    getState: store.getState,
    update,
    /** Returns the rows as a run asks about them. They are read once for all tabs, until the label columns change. */
    askedBy(run: EvaluationRun): AskedRows {
      const { set, rows } = store.getState()
      const key = JSON.stringify([run.id, labelsOf(set, run), set.mapping.group])
      if (asked?.key !== key) asked = { key, rows: askedRows(set, rows, run) }
      return asked.rows
    },
    /** Returns a column's different values. Each column is read once. */
    valuesOf(column: string): ColumnValues {
      const known = values.get(column)
      if (known !== undefined) return known
      const { set, rows } = store.getState()
      const found = columnValues(set, rows, column)
      values.set(column, found)
      return found
    },
    /** Changes the set and stores it. The set stays usable in this tab when the browser cannot store it: see `isUnstored`. */
    changeSet(change: Partial<EvaluationSet>): void {
      const set = { ...store.getState().set, ...change }
      update({ set })
      void keep(set.id, () => saveSet(set))
    },
    /** Tries again to store what the browser did not store. */
    async storeAgain(): Promise<void> {
      await Promise.all([...unstored].map(([id, write]) => keep(id, write)))
    },
    /** Stores a set with changed rows, then shows it. Rejects when the browser cannot store it, and nothing has changed then. */
    async changeRows(change: Partial<EvaluationSet>, rows: DataRow[]): Promise<void> {
      const set = { ...store.getState().set, ...change }
      await saveSetAndRows(set, rows)
      values.clear()
      asked = null
      unstored.delete(set.id)
      update({ set, rows, isUnstored: unstored.size > 0 })
    },
    replaceRun,
    /**
     * Stores a changed run, then shows it, so that a page that is left keeps what it showed. The run is shown in this tab in any
     * case: see `isUnstored`.
     */
    async changeRun(run: EvaluationRun): Promise<void> {
      await keep(run.id, () => saveRuns([run]))
      replaceRun(run)
    },
    /** Sets a run's results, unless another run is shown by now. */
    showResults(runId: string, results: RowResult[]): void {
      if (store.getState().run?.id === runId) update({ results })
    },
    /**
     * Shows another run once its results are read, unless another run is chosen or begins meanwhile. Returns false when they
     * cannot be read.
     */
    async chooseRun(id: string): Promise<boolean> {
      choices += 1
      const choice = choices
      const shownBefore = store.getState().run?.id
      const results = await resultsOf(id).catch(() => null)
      const { runs, run: shown } = store.getState()
      if (choice !== choices || shown?.id !== shownBefore) return true
      const run = runs.find((other) => other.id === id)
      if (run && results) update({ run, results })
      return results !== null
    },
  }
}

export type OpenSetStore = ReturnType<typeof createOpenSet>

const StoreContext = createContext<OpenSetStore | null>(null)
const AccountContext = createContext<RunAccount | null>(null)

export function AccountProvider({ account, children }: { account: RunAccount; children: ReactNode }) {
  return <AccountContext value={account}>{children}</AccountContext>
}

interface OpenSetProviderProps {
  opened: Parameters<typeof createOpenSet>[0]
  children: ReactNode
}

/** Holds one set. `opened` is read once, so another set needs another `key`. */
export function OpenSetProvider({ opened, children }: OpenSetProviderProps) {
  const [store] = useState(() => createOpenSet(opened))
  return <StoreContext value={store}>{children}</StoreContext>
}

function required<Value>(value: Value | null): Value {
  if (value === null) throw new Error("This component must be inside its provider.")
  return value
}

export const useAccount = (): RunAccount => required(useContext(AccountContext))

export const useOpenSetStore = (): OpenSetStore => required(useContext(StoreContext))

/** Renders the component when the selected part changes. The selector must not create objects. */
export const useOpenSet = <Part,>(select: (state: OpenSet) => Part): Part => useStore(useOpenSetStore().store, select)
