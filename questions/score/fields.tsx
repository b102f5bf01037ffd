"use client"
import { Plus, Trash2 } from "lucide-react"
import { memo } from "react"
import { flushSync } from "react-dom"
import { Button } from "@/components/ui/button"
import { focusFieldNow } from "@/components/ui/focus-field"
import { IconButton } from "@/components/ui/icon-button"
import { MoveButtons } from "@/components/ui/move-buttons"
import { countOf } from "@/lib/shared/format"
import { moveItem } from "@/lib/shared/move-item"
import { type ChangeQuestion, ListError, type QuestionFieldsProps, TextOrJsonInput } from "@/questions/field-parts"
import { emptyLevel, type LevelForm } from "./form"

export function ScoreFields({ question, path, errors, limits, onChange }: QuestionFieldsProps) {
  const { levels } = question
  const list = `${path}.levels`
  const isFull = levels.length >= limits.maxLevels
  const add = () => {
    flushSync(() => onChange((before) => ({ ...before, levels: [...before.levels, emptyLevel()] })))
    focusFieldNow(`${list}.${levels.length}.label.text`)
  }
  return (
    <div className="flex flex-col gap-2">
      <p className="font-medium">Levels, from the lowest</p>
      <ol className="flex flex-col gap-2">
        {levels.map((level, at) => (
          <LevelRow
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no state of their own
            key={at}
            level={level}
            at={at}
            isLast={at === levels.length - 1}
            list={list}
            error={errors[`${list}.${at}.label.text`]}
            onChange={onChange}
          />
        ))}
      </ol>
      <ListError field={`${list}.root`} message={errors[`${list}.root`]} />
      <Button
        variant="quiet"
        size="sm"
        className="self-start"
        disabled={isFull}
        title={isFull ? `This model accepts at most ${countOf(limits.maxLevels, "level")}` : undefined}
        onClick={add}
      >
        <Plus aria-hidden className="size-4" />
        Add level
      </Button>
    </div>
  )
}

interface LevelRowProps {
  level: LevelForm
  at: number
  isLast: boolean
  /** Path of the levels. */
  list: string
  error: string | undefined
  onChange: ChangeQuestion
}

const LevelRow = memo(function LevelRow({ level, at, isLast, list, error, onChange }: LevelRowProps) {
  const move = (to: number) =>
    onChange((before) => ({ ...before, levels: moveItem(before.levels, at, to) }), {
      announcement: `Level ${at} is now level ${to}`,
    })
  const remove = () =>
    onChange((before) => ({ ...before, levels: before.levels.toSpliced(at, 1) }), {
      undo: {
        label: `Removed level ${at}`,
        change: (before) => ({ ...before, levels: before.levels.toSpliced(at, 0, level) }),
      },
    })
  return (
    <li className="grid grid-cols-[1rem_minmax(0,1fr)] items-start gap-2 @md:grid-cols-[1rem_minmax(0,1fr)_auto]">
      <span aria-hidden className="pt-2 text-right font-mono text-ink-muted text-sm">
        {at}
      </span>
      <TextOrJsonInput
        path={`${list}.${at}.label`}
        label={`Level ${at}`}
        value={level.label}
        error={error}
        onValue={(label) => onChange((before) => ({ ...before, levels: before.levels.with(at, { label }) }))}
      />
      <span className="flex @max-md:col-start-2 @max-md:justify-self-end">
        <MoveButtons list={list} at={at} isLast={isLast} name={`level ${at}`} onMove={move} />
        <IconButton icon={Trash2} label={`Remove level ${at}`} onClick={remove} />
      </span>
    </li>
  )
})
