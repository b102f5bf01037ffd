import "fake-indexeddb/auto"
import { AppRouterContext, type AppRouterInstance } from "next/dist/shared/lib/app-router-context.shared-runtime"
import { renderToString } from "react-dom/server"
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import type { RunAccount } from "@/lib/shared/runs/model-choice"
import { newRun } from "@/test/scripted-run"
import type { RunDraft } from "../model/evaluation-run"
import type { EvaluationSet } from "../model/evaluation-set"
import { addResults, runsOf } from "../model/evaluation-store"
import { AccountProvider, OpenSetProvider, type OpenSetStore, useOpenSetStore } from "../model/open-set"
import type { FromRunWorker } from "./run-worker"
import { type RunControl, useRunner } from "./use-runner"

const ACCOUNT: RunAccount = {
  accountId: "acct",
  baseUrl: "",
  balanceUsd: "1.000000000000",
  mayPay: true,
  rates: { perAccount: 5, perKey: 5 },
  models: [],
  keys: [],
}

const workers: FakeWorker[] = []

class FakeWorker {
  onmessage: ((event: { data: FromRunWorker }) => void) | null = null
  isTerminated = false
  constructor() {
    workers.push(this)
  }
  postMessage(): void {}
  terminate(): void {
    this.isTerminated = true
  }
  say(data: FromRunWorker): void {
    this.onmessage?.({ data })
  }
}

beforeEach(() => {
  vi.stubGlobal("Worker", FakeWorker)
})
afterEach(() => {
  workers.at(-1)?.say({ type: "busy" })
  workers.length = 0
  vi.unstubAllGlobals()
})

/** Renders a page with the runner of an empty set. */
function openSet(setId: string): { control: RunControl; store: OpenSetStore } {
  const opened: { control?: RunControl; store?: OpenSetStore } = {}
  function Page() {
    opened.control = useRunner()
    opened.store = useOpenSetStore()
    return null
  }
  const set = { id: setId, corrections: [] as EvaluationSet["corrections"] } as EvaluationSet
  renderToString(
    <AppRouterContext value={{ refresh: () => {} } as AppRouterInstance}>
      <AccountProvider account={ACCOUNT}>
        <OpenSetProvider opened={{ set, rows: [], runs: [], run: null, results: [] }}>
          <Page />
        </OpenSetProvider>
      </AccountProvider>
    </AppRouterContext>,
  )
  const { control, store } = opened
  if (!control || !store) throw new Error("The page did not render.")
  return { control, store }
}

const draft = (): RunDraft => {
  const { form, pinnedId, mapping, capUsd } = newRun()
  return { form, pinnedId, mapping, capUsd, rows: [0, 1] }
}

test("a second press before the run is stored starts no second run", async () => {
  const { control, store } = openSet("twice")
  expect(await Promise.all([control.begin([draft()]), control.begin([draft()])])).toEqual([true, false])
  expect(await runsOf("twice")).toHaveLength(1)
  expect(store.getState().runs).toHaveLength(1)
  expect(workers).toHaveLength(1)
})

test("a run that ends while another one is shown leaves the shown results", async () => {
  const { control, store } = openSet("other")
  await control.begin([draft()])
  const run = store.getState().run ?? newRun()
  await addResults([{ runId: run.id, row: 0, status: "waiting" }])
  const shown = newRun({ id: "shown" })
  store.update({ run: shown, results: [{ runId: "shown", row: 7, status: "waiting" }] })
  workers[0]?.say({ type: "ended", run: { ...run, status: "finished" } })
  await expect.poll(() => workers[0]?.isTerminated).toBe(true)
  expect(store.getState()).toMatchObject({ run: { id: "shown" }, results: [{ runId: "shown", row: 7 }] })
})
