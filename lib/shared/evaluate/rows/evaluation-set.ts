import type { RequestForm } from "@/lib/shared/request-form/request-form"
import type { Goal } from "../figures/automation"

/** The most rows that a set holds. */
export const MAX_ROWS = 20_000

/** Returns an id of a set or a run. Ids sort by time. `crypto.randomUUID` is missing on plain http, which consoles may use. */
export const newId = (): string => `${new Date().toISOString()} ${Math.random().toString(36).slice(2)}`

/** Returns as many ids, in the order in which they sort. */
export const newIds = (count: number): string[] => Array.from({ length: count }, newId).sort()

/** Rows with known answers and the questions to ask about them. It is stored in this browser only. */
export interface EvaluationSet {
  id: string
  accountId: string
  name: string
  /** ISO 8601. */
  createdAt: string
  source: RowSource
  /** Unique names, in the order of the file. */
  columns: string[]
  rowCount: number
  /** The parts of the file that could not be read as rows. */
  unreadable: RowFault[]
  mapping: Mapping
  /** Model, paying key and questions. Its state is not used: each row has its own. */
  form: RequestForm
  corrections: Correction[]
  /** The columns that were joined from other files after the set was made. A state that is a whole row never has them. */
  joined?: string[] | undefined
  /** What may be automatic, by question. Absent before the first choice. */
  goals?: QuestionGoal[] | undefined
  /** The column by whose values the results are compared. Absent for none. */
  sliceColumn?: string | undefined
  /** Present for one row of the playground whose answer is checked. It is not listed, and the next visit of the list removes it. */
  isCheck?: true | undefined
}

/** The goal that the user chose for one question. */
export interface QuestionGoal {
  question: string
  goal: Goal
}

/** What it takes to read the cells of a row. */
export type Columns = Pick<EvaluationSet, "columns" | "source" | "joined">

interface RowSource {
  format: "csv" | "jsonl" | "json"
  /** The file's name, or where else the rows come from. */
  name: string
}

/** Why a row cannot be used. `line` counts the lines of the file from 1. */
export interface RowFault {
  line: number
  reason: string
}

/** `cells` follow the columns: text for CSV, a value's JSON source for JSON files. Empty or missing: the row has no value. */
export interface DataRow {
  /** The row's position among the rows of the set, from 0. It identifies the row in results and corrections. */
  index: number
  line: number
  cells: string[]
}

/** How a row becomes a state. Columns are identified by name, because templates use names too. */
export type StateMapping =
  | { kind: "column"; column: string }
  /** Text in which `{{column}}` stands for the row's value. */
  | { kind: "template"; template: string }
  /** The row as a JSON object, without the label columns and without these. */
  | { kind: "row"; without: string[] }

export interface LabelMapping {
  /** The question's name. */
  question: string
  column: string
  /** The number of the lowest level, for labels that number the levels of a scale. */
  firstLevel: 0 | 1
  /** The two texts that stand for yes and no, where the column does not say yes or no itself. */
  answers?: YesNoTexts | undefined
}

export interface YesNoTexts {
  yes: string
  no: string
}

export interface Mapping {
  state: StateMapping
  /** At most one per question. */
  labels: LabelMapping[]
  /** Rows with the same value in this column belong together, such as those of one customer. Absent: only equal states do. */
  group?: string | undefined
}

/** The user's judgement that a row's label was wrong. */
export interface Correction {
  question: string
  row: number
  /** The index of the right outcome in the run that was corrected. Null leaves the row out of the question's figures. */
  label: number | null
  /** The name of the right outcome (`Outcomes`), which finds it in other runs. Absent without a label. */
  outcome?: string | undefined
}

/** The rows of a file, before they are a set. */
export interface Table {
  format: RowSource["format"]
  columns: string[]
  rows: DataRow[]
  /** What could not be read as a row. */
  unreadable: RowFault[]
  /** How the rows were drawn from a larger file, as text. Absent when they are all of it. */
  drawn?: string
}
