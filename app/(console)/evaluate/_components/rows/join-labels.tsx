"use client"
import { FileUp } from "lucide-react"
import { useMemo, useState } from "react"
import { Alert } from "@/components/ui/alert"
import { Button } from "@/components/ui/button"
import { SelectField } from "@/components/ui/select"
import { useFileDrop } from "@/components/use-file-drop"
import { BadFile } from "@/lib/shared/evaluate/rows/bad-file"
import type { Table } from "@/lib/shared/evaluate/rows/evaluation-set"
import {
  guessKey,
  type JoinKey,
  joinableColumn,
  joinLabels,
  type LabelJoin,
} from "@/lib/shared/evaluate/rows/join-labels"
import { joinReport } from "@/lib/shared/evaluate/rows/join-report"
import { labelledQuestionsOf } from "@/lib/shared/evaluate/rows/read-rows"
import { countOf } from "@/lib/shared/format"
import { isOutOfRoom } from "../../model/evaluation-store"
import { useOpenSet, useOpenSetStore } from "../../model/open-set"
import { joinInto } from "../../rows/join-into"
import { readInWorker } from "../../rows/read-in-worker"
import { ROW_FILES } from "../../rows/row-files"

interface Opened {
  name: string
  table: Table
}

const ORDER = { value: "", label: "The order of the rows" } as const

/** Takes right answers from another file, by a key or by the order of the rows. The answers of runs stay. */
export function JoinLabels() {
  const [opened, setOpened] = useState<Opened | null>(null)
  const [message, setMessage] = useState<{ tone: "danger" | "info"; text: string } | null>(null)
  const [isReading, setReading] = useState(false)
  const hasQuestions = useOpenSet(({ set }) => set.form.questions.length > 0)
  const open = async (file: File) => {
    setReading(true)
    setMessage(null)
    const table = await readInWorker({ file, name: file.name, isSample: false }, () => {}).catch((error: unknown) => {
      setMessage({ tone: "danger", text: error instanceof BadFile ? error.message : "Choose the file again." })
      return null
    })
    setOpened(table && { name: file.name, table })
    setReading(false)
  }
  const { choose, target, input } = useFileDrop("Right answers from a file", ROW_FILES, (file) => void open(file))
  if (!hasQuestions) return null
  return (
    <div {...target} className="flex flex-col items-start gap-3">
      <Button variant="secondary" size="sm" onClick={choose} pending={isReading} pendingLabel="Reading…">
        <FileUp aria-hidden className="size-4" />
        Join right answers from a file
      </Button>
      {input}
      {message ? (
        <Alert tone={message.tone} role={message.tone === "danger" ? "alert" : "status"}>
          {message.text}
        </Alert>
      ) : null}
      {opened ? (
        <JoinForm
          opened={opened}
          onEnd={(text, tone = "info") => {
            setMessage(text === null ? null : { tone, text })
            if (tone === "info") setOpened(null)
          }}
        />
      ) : null}
    </div>
  )
}

interface JoinFormProps {
  opened: Opened
  /** Null when the user does not want to join. After a `danger`, the form stays. */
  onEnd: (text: string | null, tone?: "danger" | "info") => void
}

function JoinForm({ opened: { name, table }, onEnd }: JoinFormProps) {
  const store = useOpenSetStore()
  const set = useOpenSet((state) => state.set)
  const rows = useOpenSet((state) => state.rows)
  const questions = useMemo(() => labelledQuestionsOf(set.form), [set.form])
  const [key, setKey] = useState<JoinKey | null>(() => guessKey({ set, rows }, table))
  const [questionName, setQuestion] = useState(() => questions[0]?.name ?? "")
  const question = questions.find((each) => each.name === questionName) ?? questions[0]
  const [chosen, setColumn] = useState<string | null>(null)
  const column = chosen ?? (question ? joinableColumn(question, table, key) : "")
  const joined = useMemo(() => joinLabels({ set, rows }, table, key, column), [set, rows, table, key, column])
  if (!question) return <Alert>Give the questions a name and answers first.</Alert>
  const report = joinReport(joined, question, rows.length)
  const join = async () => {
    const request: LabelJoin = { question, column, texts: joined.texts }
    await joinInto(store, request).then(
      () => onEnd(`Joined from ${name}: ${countOf(joined.matched, "right answer")}. Nothing was sent or paid.`),
      (error: unknown) =>
        onEnd(
          isOutOfRoom(error) ? "This browser has no room for the answers." : "The answers were not stored.",
          "danger",
        ),
    )
  }
  return (
    <section
      aria-label={`Right answers from ${name}`}
      className="flex w-full flex-col gap-4 rounded-lg border border-line bg-surface p-4"
    >
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <SelectField
          label="Right answers of the question"
          value={question.name}
          options={questions.map((each) => each.name)}
          onChoose={(next) => {
            setQuestion(next)
            setColumn(null)
          }}
        />
        <SelectField
          label="Column with the right answers"
          value={column}
          options={table.columns}
          onChoose={setColumn}
        />
        <SelectField
          label="Rows belong together by"
          value={key?.other ?? ""}
          options={[ORDER, ...table.columns.map((other) => ({ value: other, label: `Column “${other}” of the file` }))]}
          onChoose={(other) =>
            setKey(other === "" ? null : { other, own: set.columns.includes(other) ? other : (set.columns[0] ?? "") })
          }
        />
        {key ? (
          <SelectField
            label="Equals the column of this set"
            value={key.own}
            options={set.columns}
            onChoose={(own) => setKey({ ...key, own })}
          />
        ) : null}
      </div>
      <ul className="flex flex-col gap-1 text-sm" aria-live="polite">
        {report.map((line) => (
          <li key={line} className="wrap-anywhere">
            {line}
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <Button size="sm" onClick={() => void join()} disabled={joined.matched === 0}>
          Join {countOf(joined.matched, "right answer")}
        </Button>
        <Button size="sm" variant="quiet" onClick={() => onEnd(null)}>
          Cancel
        </Button>
      </div>
    </section>
  )
}
