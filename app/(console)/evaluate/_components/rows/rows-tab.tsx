"use client"
import { Button } from "@/components/ui/button"
import { useOpenSet } from "../../model/open-set"
import { showTab } from "../address"
import { FaultList } from "./fault-list"
import { GroupFields } from "./group-fields"
import { LabelFields } from "./label-fields"
import { RowPreview } from "./row-preview"
import { StateFields } from "./state-fields"

/** Shows what the rows become: their states and labels, and the rows that cannot be used. */
export function RowsTab() {
  const hasQuestions = useOpenSet(({ set }) => set.form.questions.length > 0)
  const next = hasQuestions ? "run" : "questions"
  return (
    <div className="grid gap-8 lg:grid-cols-2">
      <div className="flex min-w-0 flex-col gap-8">
        <StateFields />
        <LabelFields />
        <GroupFields />
        <div>
          <Button variant="secondary" onClick={() => showTab(next)}>
            {hasQuestions ? "Continue to the run" : "Continue to the questions"}
          </Button>
        </div>
      </div>
      <div className="flex min-w-0 flex-col gap-8">
        <RowPreview />
        <FaultList />
      </div>
    </div>
  )
}
