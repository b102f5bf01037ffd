import "fake-indexeddb/auto"
import { AppRouterContext, type AppRouterInstance } from "next/dist/shared/lib/app-router-context.shared-runtime"
import { renderToString } from "react-dom/server"
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import type { EvaluationSet } from "@/lib/shared/evaluate/rows/evaluation-set"
import type { RunDraft } from "@/lib/shared/evaluate/run/evaluation-run"
import type { RunAccount } from "@/lib/shared/runs/model-choice"
import { withAbortedWrite } from "@/test/abort-write"
import { newRun } from "@/test/scripted-run"
import { runsOf, saveRuns } from "../model/evaluation-store"
import { AccountProvider, OpenSetProvider, type OpenSetStore, useOpenSetStore } from "../model/open-set"
import type { FromRunWorker } from "./run-worker"
import { type RunControl, useRunner } from "./use-runner"

const ACCOUNT: RunAccount = {
  accountId: "acct",
  email: "ada@example.com",
  baseUrl: "",
  balanceUsd: "1.000000000000",
  mayPay: true,
  rates: { perAccount: 5, perKey: 5, evaluate: 5 },
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

const capped = (): RunDraft => ({ ...draft(), capUsd: "2.000000000000" })

test.each([1, 2, 3, 4])(
  "of two runs that share a cap none is stored when the browser refuses write %i",
  async (nth) => {
    const { control, store } = openSet(`refused ${nth}`)
    const { writes } = await withAbortedWrite(nth, () => control.begin([capped(), capped()]))
    expect(writes).toBe(4)
    expect(await runsOf(`refused ${nth}`)).toEqual([])
    expect(store.getState()).toMatchObject({ runs: [], problem: "not_stored" })
    expect(workers).toHaveLength(0)
  },
)

/** Begins two runs that share 2 USD. Returns the first one as it is after it spent half a dollar. */
async function beginTwo(setId: string) {
  const { control, store } = openSet(setId)
  await control.begin([capped(), capped()])
  const run = store.getState().runs.find(({ follows }) => follows === undefined) ?? newRun()
  const totals = { ...run.totals, answered: 2, costUsd: "0.500000000000" }
  return { store, ended: { type: "ended", run: { ...run, status: "finished", totals } } as const }
}

/** The stored caps of a set's runs, the first run's first. */
const capsOf = async (setId: string) => (await runsOf(setId)).toReversed().map(({ capUsd }) => capUsd)

test("a run that starts after another one gets what that one left of their cap", async () => {
  const { store, ended } = await beginTwo("split")
  workers[0]?.say(ended)
  await expect.poll(() => workers.length).toBe(2)
  expect(store.getState().run).toMatchObject({ status: "running", capUsd: "1.500000000000" })
  expect(await capsOf("split")).toEqual(["0.500000000000", "1.500000000000"])
})

test.each([1, 2])(
  "a shared cap stays whole, and the next run waits, when the browser refuses write %i",
  async (nth) => {
    const { store, ended } = await beginTwo(`whole ${nth}`)
    await withAbortedWrite(nth, async () => {
      workers[0]?.say(ended)
      await expect.poll(() => store.getState().problem).toBe("not_stored")
    })
    expect(await capsOf(`whole ${nth}`)).toEqual(["2.000000000000", "2.000000000000"])
    expect(workers).toHaveLength(1)
  },
)

test("a run that ends while another one is shown leaves the shown results", async () => {
  const { control, store } = openSet("other")
  await control.begin([draft()])
  const run = store.getState().run ?? newRun()
  await saveRuns([run], [{ runId: run.id, row: 0, status: "waiting" }])
  const shown = newRun({ id: "shown" })
  store.update({ run: shown, results: [{ runId: "shown", row: 7, status: "waiting" }] })
  workers[0]?.say({ type: "ended", run: { ...run, status: "finished" } })
  await expect.poll(() => workers[0]?.isTerminated).toBe(true)
  expect(store.getState()).toMatchObject({ run: { id: "shown" }, results: [{ runId: "shown", row: 7 }] })
})
