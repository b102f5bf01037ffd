import type { EvaluationRun } from "@/lib/shared/evaluate/run/evaluation-run"
import { resultsOf, runsOf } from "../model/evaluation-store"
import { firstShown, type OpenSet } from "../model/open-set"
import { refreshRun } from "./refresh-run"

/** Returns some of a set's runs as they are stored now, newest first, with the run to show first and its results. */
export async function loadRuns(
  setId: string,
  isWanted: (run: EvaluationRun) => boolean,
): Promise<Pick<OpenSet, "runs" | "run" | "results">> {
  const stored = (await runsOf(setId)).filter(isWanted)
  const runs = await Promise.all(stored.map(async (run) => (await refreshRun(run)) ?? run))
  const run = firstShown(runs)
  return { runs, run, results: run ? await resultsOf(run.id) : [] }
}
