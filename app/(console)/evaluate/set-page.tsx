"use client"
import { useRouter } from "next/navigation"
import { type ComponentType, lazy, Suspense, useEffect, useEffectEvent, useState } from "react"
import { Alert } from "@/components/ui/alert"
import { Button } from "@/components/ui/button"
import { LinkButton } from "@/components/ui/link-button"
import { BackLink, PageHeader } from "@/components/ui/page-header"
import { Skeleton } from "@/components/ui/skeleton"
import { TabPanel, Tabs } from "@/components/ui/tabs"
import type { EvaluationSet } from "@/lib/shared/evaluate/rows/evaluation-set"
import { countOf } from "@/lib/shared/format"
import type { KeyChoice, RunAccount } from "@/lib/shared/runs/model-choice"
import { SET_TABS, type SetTab, showTab, tabOf, useTab } from "./_components/address"
import { SetMenu } from "./_components/sets/set-menu"
import { useExportSet } from "./_components/sets/use-export-set"
import { findSet, rowsOf } from "./model/evaluation-store"
import { type OpenSet, OpenSetProvider, useAccount, useOpenSet, useOpenSetStore } from "./model/open-set"
import { useRowSummary } from "./model/use-row-summary"
import { loadRuns } from "./run/load-runs"
import { useFollowing } from "./run/use-following"
import { type RunControl, useRunner } from "./run/use-runner"

interface TabProps {
  control: RunControl
}

/** The tabs in their order. Each loads when it is first shown. */
const TABS: Record<SetTab, { label: string; Tab: ComponentType<TabProps> }> = {
  rows: {
    label: "Rows",
    Tab: lazy(async () => ({ default: (await import("./_components/rows/rows-tab")).RowsTab })),
  },
  questions: {
    label: "Questions",
    Tab: lazy(async () => ({ default: (await import("./_components/questions/questions-tab")).QuestionsTab })),
  },
  run: {
    label: "Run",
    Tab: lazy(async () => ({ default: (await import("./_components/run/run-tab")).RunTab })),
  },
  results: {
    label: "Results",
    Tab: lazy(async () => ({ default: (await import("./_components/results/results-tab")).ResultsTab })),
  },
  compare: {
    label: "Compare",
    Tab: lazy(async () => ({ default: (await import("./_components/compare/compare-tab")).CompareTab })),
  },
  robustness: {
    label: "Robustness",
    Tab: lazy(async () => ({ default: (await import("./_components/robustness/robustness-tab")).RobustnessTab })),
  },
  signoff: {
    label: "Sign-off",
    Tab: lazy(async () => ({ default: (await import("./_components/sign-off/sign-off-tab")).SignOffTab })),
  },
}

type Opened = Pick<OpenSet, "set" | "rows" | "runs" | "run" | "results">

/** Returns the set with the Playground key if the key that it names can no longer be used. */
function withUsableKey(set: EvaluationSet, keys: readonly KeyChoice[]): EvaluationSet {
  const isUsable = keys.some(({ id }) => id === set.form.keyId)
  return isUsable ? set : { ...set, form: { ...set.form, keyId: "" } }
}

async function load({ accountId, keys }: RunAccount, id: string): Promise<Opened | null> {
  const found = await findSet(accountId, id)
  if (!found) return null
  const set = withUsableKey(found, keys)
  const [rows, shown] = await Promise.all([rowsOf(id), loadRuns(id, ({ robustness }) => !robustness)])
  return { set, rows, ...shown }
}

/** Loads a set from this browser's storage and shows its tabs, or explains that it is not in this browser. */
export function SetPage({ id }: { id: string }) {
  const account = useAccount()
  const [opened, setOpened] = useState<Opened | "loading" | null>("loading")
  const open = useEffectEvent(() => {
    load(account, id).then(setOpened, () => setOpened(null))
  })
  useEffect(() => open(), [])
  if (opened === "loading") return <Skeleton className="h-64" />
  if (!opened)
    return (
      <PageHeader
        title="This set is not in this browser"
        action={<LinkButton href="/evaluate">See all sets</LinkButton>}
      >
        Sets are stored in the browser that opened them. Import the set from its exported file, or open the rows again.
      </PageHeader>
    )
  return (
    <OpenSetProvider opened={opened}>
      <SetEffects />
      <Contents />
    </OpenSetProvider>
  )
}

/** Renders nothing, so that typing in a question or a template does not render the page. */
function SetEffects() {
  useRowSummary()
  useFollowing()
  return null
}

function Contents() {
  const control = useRunner()
  const name = useOpenSet(({ set }) => set.name)
  const rowCount = useOpenSet(({ set }) => set.rowCount)
  const source = useOpenSet(({ set }) => set.source.name)
  const isRunning = useOpenSet(({ run }) => run?.status === "running")
  const isCheck = useOpenSet(({ set }) => set.isCheck === true)
  const { exportSet, failure } = useExportSet()
  const tab = useTab()
  const { Tab } = TABS[tab]
  const tabs = SET_TABS.map((value) => ({
    value,
    label: value === "run" && isRunning ? "Run (running)" : TABS[value].label,
  }))
  return (
    <>
      <PageHeader
        back={<BackLink href="/evaluate">All sets</BackLink>}
        title={name}
        action={<SetActions onExport={exportSet} />}
      >
        {countOf(rowCount, "row")} from {source}, kept in this browser only
        {isCheck ? ", until you open the list of sets or check another answer." : "."}
      </PageHeader>
      {failure}
      <Unstored />
      <Tabs label="Set" tabs={tabs} value={tab} onValueChange={(value) => showTab(tabOf(value))} className="min-w-0">
        <TabPanel value={tab} className="pt-6">
          <Suspense fallback={<Skeleton className="h-64" />}>
            <Tab control={control} />
          </Suspense>
        </TabPanel>
      </Tabs>
    </>
  )
}

function Unstored() {
  const isUnstored = useOpenSet((state) => state.isUnstored)
  const { storeAgain } = useOpenSetStore()
  if (!isUnstored) return null
  return (
    <Alert
      tone="danger"
      role="alert"
      title="The last change is not stored"
      className="mb-4 print:hidden"
      action={
        <Button variant="secondary" size="sm" onClick={() => void storeAgain()}>
          Try again
        </Button>
      }
    >
      This browser has no room for it. What you see is kept until you leave this page. Remove a set that you no longer
      need in another tab, then try again.
    </Alert>
  )
}

function SetActions({ onExport }: { onExport: (set: EvaluationSet) => void }) {
  const router = useRouter()
  const set = useOpenSet((state) => state.set)
  const { changeSet } = useOpenSetStore()
  return (
    <div className="flex items-center gap-2">
      {set.isCheck ? (
        <Button variant="secondary" onClick={() => changeSet({ isCheck: undefined })}>
          Keep as a set
        </Button>
      ) : null}
      <SetMenu
        set={set}
        onExport={onExport}
        onRename={async (name) => changeSet({ name })}
        onRemoved={() => router.push("/evaluate")}
      />
    </div>
  )
}
