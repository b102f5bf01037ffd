"use client"
import { useRouter } from "next/navigation"
import { useState } from "react"
import { looksLikeSetFile } from "@/lib/shared/evaluate/export/set-file-mark"
import { BadFile, FileOverLimit } from "@/lib/shared/evaluate/rows/bad-file"
import type { Table } from "@/lib/shared/evaluate/rows/evaluation-set"
import type { RobustnessCheck } from "@/lib/shared/evaluate/run/evaluation-run"
import { asText, writeTextOrJson } from "@/lib/shared/json-source/text-or-json"
import type { RequestForm } from "@/lib/shared/request-form/request-form"
import { doInWorker } from "../../files/do-in-worker"
import { addSet, isOutOfRoom } from "../../model/evaluation-store"
import { useAccount } from "../../model/open-set"
import { readInWorker } from "../../rows/read-in-worker"
import { addressOf, type SetTab } from "../address"
import { removeChecks } from "./remove-checks"

export type Adding =
  | { phase: "idle" }
  | { phase: "reading"; name: string; share: number }
  /** `openSample` is present for a file of which a sample can be opened. */
  | { phase: "refused"; name: string; message: string; openSample?: () => void }

// What reads rows and questions loads when the first set is added.
const loadNewSet = () => import("../../set-parts")

const NO_ROOM = "This browser has no room for the rows. Remove a set that you no longer need, and open the file again."
const FAILED =
  "Nothing was added. Load this page again. If it fails again, this browser may not let the site store data."

function messageOf(error: unknown): string {
  if (error instanceof BadFile) return error.message
  return isOutOfRoom(error) ? NO_ROOM : FAILED
}

/** Reads files as sets and opens them. A file that cannot be read leaves everything as it was. */
export function useAddSet(form: RequestForm | null) {
  const { accountId, models } = useAccount()
  const router = useRouter()
  const [adding, setAdding] = useState<Adding>({ phase: "idle" })
  const [isAddingSample, setAddingSample] = useState(false)
  const model = models[0]?.id ?? ""
  const empty: RequestForm = { model, keyId: "", state: asText(""), questions: [] }

  const add = async (file: Blob, name: string, questions = form ?? empty, tab: SetTab = "rows", isSample = false) => {
    setAdding({ phase: "reading", name, share: 0 })
    try {
      if (await looksLikeSetFile(file)) return await addExported(file, name)
      const reading = readInWorker({ file, name, isSample }, (share) => setAdding({ phase: "reading", name, share }))
      const [table, { newSet }] = await Promise.all([reading, loadNewSet()])
      const set = newSet(accountId, table, name, questions)
      await addSet(set, { rows: table.rows, runs: [] })
      router.push(addressOf(set.id, tab))
    } catch (error) {
      const openSample = error instanceof FileOverLimit ? () => void add(file, name, questions, tab, true) : undefined
      setAdding({ phase: "refused", name, message: messageOf(error), ...(openSample && { openSample }) })
    }
  }

  const addExported = async (file: Blob, name: string) => {
    const added = await doInWorker("import", { file, accountId })
    if ("setId" in added) router.push(addressOf(added.setId, "results"))
    else setAdding({ phase: "refused", name, message: "message" in added ? added.message : NO_ROOM })
  }

  /** Opens the state of a request as a set of one row, to check its answer. Returns whether it could. */
  const addRow = async (request: RequestForm, robustness: RobustnessCheck["kind"]) => {
    const name = "Row from the playground"
    const cells = [writeTextOrJson(request.state, '""') ?? '""']
    const table: Table = { format: "json", columns: ["state"], rows: [{ index: 0, line: 1, cells }], unreadable: [] }
    try {
      const [{ newSet }] = await Promise.all([loadNewSet(), removeChecks(accountId)])
      const set = { ...newSet(accountId, table, "the playground", request), name, isCheck: true as const }
      await addSet(set, { rows: table.rows, runs: [] })
      router.replace(addressOf(set.id, "robustness", { robustness }))
      return true
    } catch (error) {
      setAdding({ phase: "refused", name, message: messageOf(error) })
      return false
    }
  }

  const readSample = async () => {
    setAdding({ phase: "reading", name: "the sample", share: 0 })
    const loading = [fetch("/samples/support-tickets.csv"), import("@/lib/shared/request-form/examples")] as const
    const [response, examples] = await Promise.all(loading).catch(() => [null, null])
    if (!response?.ok || !examples)
      return setAdding({ phase: "refused", name: "The sample", message: "It could not be loaded. Try again." })
    await add(await response.blob(), "support-tickets.csv", examples.exampleForm(model), "run")
  }
  const addSample = () => {
    setAddingSample(true)
    void readSample().finally(() => setAddingSample(false))
  }
  return { adding, isAddingSample, add, addRow, addSample }
}
