"use client"
import { useDeferredValue, useMemo } from "react"
import { Section } from "@/components/ui/section"
import { SelectField } from "@/components/ui/select"
import { ShowMore, useShownRows } from "@/components/ui/show-more"
import { type Column, Table } from "@/components/ui/table"
import type { AnsweredRows } from "@/lib/shared/evaluate/figures/answered-rows"
import { formatShare, intervalText } from "@/lib/shared/evaluate/figures/figure-text"
import {
  MIN_SLICE_ROWS,
  ONE_COLUMN,
  restText,
  SCORE_IS_WRONG,
  type Slice,
  type Slices,
  sliceClaimsText,
  sliceClaimText,
  slicesOf,
  WORSE_MEANS,
} from "@/lib/shared/evaluate/figures/slices"
import { MAX_VALUE } from "@/lib/shared/evaluate/rows/slice-reader"
import { labelsOf } from "@/lib/shared/evaluate/run/asked-rows"
import type { EvaluationRun } from "@/lib/shared/evaluate/run/evaluation-run"
import { formatCount } from "@/lib/shared/format"
import { shortText } from "@/lib/shared/long-runs"
import { wilsonInterval } from "@/lib/shared/statistics/binomial"
import { type CheckedQuestion, typeOf } from "@/questions/question-types"
import { useOpenSet, useOpenSetStore } from "../../model/open-set"
import type { Figures } from "./use-figures"

interface SliceTableProps {
  run: EvaluationRun
  question: CheckedQuestion
  answered: AnsweredRows
  figures: Figures
}

/** Compares the values of a column that the user chooses: where answers are wrong more often, and what can be automatic in each. */
export function SliceTable({ run, question, answered, figures }: SliceTableProps) {
  const { changeSet } = useOpenSetStore()
  const set = useOpenSet((state) => state.set)
  const labels = labelsOf(set, run).find((each) => each.question === question.name)
  const column = set.sliceColumn ?? ""
  const isScore = typeOf(question).scale === "ordinal"
  return (
    <Section
      id="slices"
      title="Where does it fail?"
      hint={`Compares the values of a column, such as a channel or a language. Each needs ${MIN_SLICE_ROWS} rows.${isScore ? ` ${SCORE_IS_WRONG}` : ""}`}
    >
      <SelectField
        label="Compare the values of"
        value={column}
        none="No column"
        options={set.columns.filter((each) => each !== labels?.column)}
        className="max-w-xl print:hidden"
        onChoose={(chosen) => changeSet({ sliceColumn: chosen === "" ? undefined : chosen })}
      />
      {column !== "" && column !== labels?.column ? (
        <ChosenSlices key={column} column={column} question={question} answered={answered} doubts={figures.doubts} />
      ) : null}
    </Section>
  )
}

interface ChosenSlicesProps extends Pick<SliceTableProps, "question" | "answered"> {
  column: string
  doubts: Figures["doubts"]
}

function ChosenSlices({ column, question, answered, doubts }: ChosenSlicesProps) {
  const set = useOpenSet((state) => state.set)
  const rows = useOpenSet((state) => state.rows)
  const { columns, source, joined, goals, sliceColumn } = set
  // The slider of the target moves at once; the slices follow.
  const wanted = useDeferredValue(goals)
  const found = useMemo(
    () => slicesOf({ columns, source, joined, goals: wanted, sliceColumn }, rows, question, answered),
    [columns, source, joined, wanted, sliceColumn, rows, question, answered],
  )
  if (!found) return null
  return <FoundSlices column={column} found={found} doubts={doubts} />
}

const COLUMNS: Column<Slice>[] = [
  { head: "Value", phone: "title", className: "wrap-anywhere font-medium", cell: ({ value }) => shortText(value) },
  { head: "Rows", phone: "line", phoneLabel: true, align: "right", cell: ({ rows }) => formatCount(rows) },
  {
    head: "Wrong",
    phone: "value",
    phoneLabel: true,
    align: "right",
    cell: ({ rows, wrong }) => (
      <span className="inline-flex flex-wrap justify-end gap-x-2">
        {formatShare(wrong / rows)}
        <span className="whitespace-nowrap text-ink-muted text-sm">
          {intervalText(wilsonInterval(wrong, rows), formatShare)}
        </span>
      </span>
    ),
  },
  { head: "Against the rest", phone: "end", cell: restText, className: "tabular-nums" },
  { head: "Automatic by itself", cell: sliceClaimText, className: "tabular-nums" },
]

function FoundSlices({ column, found, doubts }: { column: string; found: Slices; doubts: Figures["doubts"] }) {
  const list = useShownRows(found.slices, { first: 10, more: 20 })
  if (found.slices.length === 0)
    return (
      <p className="max-w-text">
        No value of this column has {MIN_SLICE_ROWS} answers with labels. Values longer than {MAX_VALUE} characters are
        left out.
      </p>
    )
  const isDoubtful = doubts === null || doubts.length > 0
  return (
    <>
      <Table
        caption={`Values of “${shortText(column)}”`}
        columns={COLUMNS}
        rows={list.rows}
        rowKey={({ value }) => value}
      />
      <ShowMore list={list} />
      <div className="flex max-w-text flex-col gap-2 text-ink-muted text-sm">
        {sliceClaimsText(found).map((text) => (
          <p key={text}>{text}</p>
        ))}
        {isDoubtful && found.slices.some(({ claim }) => claim?.fault === null) ? (
          <p>Do not rely on these claims yet. “What can be automatic?” says what speaks against them.</p>
        ) : null}
        <p>
          {WORSE_MEANS} {ONE_COLUMN}
        </p>
      </div>
    </>
  )
}
