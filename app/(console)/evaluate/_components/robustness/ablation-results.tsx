"use client"
import { useMemo } from "react"
import { Section } from "@/components/ui/section"
import { ShowMore, useShownRows } from "@/components/ui/show-more"
import { type Column, Table } from "@/components/ui/table"
import { ablationOf, type FieldEffect, type PartEffect } from "@/lib/shared/evaluate/figures/ablation"
import { formatShare, signed } from "@/lib/shared/evaluate/figures/figure-text"
import { countOf, formatCount } from "@/lib/shared/format"
import { shortText } from "@/lib/shared/long-runs"
import { outcomesOf } from "@/questions/question-types"
import type { VariantsOfQuestion } from "./check-names"

const SHOWN_LENGTH = 160

const signedShare = (value: number): string => signed(value, formatShare, "+")

const FIELDS: Column<FieldEffect>[] = [
  { head: "Field", className: "wrap-anywhere font-mono text-sm", cell: ({ name }) => shortText(name) },
  { head: "Rows", align: "right", cell: ({ rows }) => formatCount(rows) },
  {
    head: "Answers that flip without it",
    align: "right",
    cell: ({ flips, rows }) => `${formatCount(flips)} (${formatShare(flips / rows)})`,
  },
  { head: "Mean change", align: "right", cell: ({ meanChange }) => formatShare(meanChange) },
  { head: "Adds to the answer", align: "right", cell: ({ meanCarried }) => signedShare(meanCarried) },
]

function partColumns(kind: string, names: readonly string[]): Column<PartEffect>[] {
  return [
    { head: "Line", align: "right", cell: ({ row }) => formatCount(row.line) },
    {
      head: `Left out (${kind})`,
      className: "wrap-anywhere whitespace-pre-wrap max-w-text",
      cell: ({ name }) => shortText(name, SHOWN_LENGTH),
    },
    {
      head: "Answer",
      cell: ({ row, answer }) => `${shortText(names[answer])} ${formatShare(row.whole[answer] ?? 0)}`,
    },
    {
      head: "Without it",
      cell: (effect) => (
        <span className={effect.without === effect.answer ? undefined : "font-semibold"}>
          {effect.without === effect.answer ? "the same" : shortText(names[effect.without])}
        </span>
      ),
    },
    { head: "Adds to the answer", align: "right", cell: ({ carried }) => signedShare(carried) },
  ]
}

/** Says how many answers flip without one part of their state. */
export function flipsText(flips: number, answers: number, part: string): string {
  if (flips === 0) return `No answer flips without one ${part}.`
  const [flip, come] = flips === 1 ? ["flips", "It comes"] : ["flip", "They come"]
  return `${formatCount(flips)} of ${countOf(answers, "answer")} ${flip} without one ${part}. ${come} first.`
}

/** Shows what moves the answers to a question. */
export function AblationResults({ question, rows }: VariantsOfQuestion) {
  const { kind, parts, fields } = useMemo(() => ablationOf(question.type, rows), [question, rows])
  const names = useMemo(() => outcomesOf(question).names(question), [question])
  const list = useShownRows(parts, { first: 20, more: 40 })
  const flips = parts.filter(({ answer, without }) => answer !== without).length
  return (
    <>
      {fields.length > 0 && rows.length > 1 ? (
        <Section
          id="fields"
          title="Which fields move the answers?"
          hint="“Adds to the answer” is how much less likely the answer is without the field, on average. “Mean change” counts changes in both directions."
        >
          <Table caption="Fields" columns={FIELDS} rows={fields} rowKey={({ name }) => name} />
        </Section>
      ) : null}
      <Section
        id="parts"
        title={`What moves the answer${rows.length > 1 ? " of a row" : ""}?`}
        hint={`${flipsText(flips, parts.length, kind)} A part with a plus sign speaks for the answer, one with a minus sign against it.`}
      >
        <Table
          caption="Parts"
          columns={partColumns(kind, names).slice(rows.length > 1 ? 0 : 1)}
          rows={list.rows}
          rowKey={({ row, name }) => `${row.row} ${name}`}
        />
        <ShowMore list={list} />
      </Section>
    </>
  )
}
