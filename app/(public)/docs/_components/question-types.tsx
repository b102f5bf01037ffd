import { type Column, Table } from "@/components/ui/table"

interface QuestionType {
  type: string
  asks: string
  criteria: string
  answer: string
}

const TYPES: QuestionType[] = [
  {
    type: "noul",
    asks: "Yes or no",
    criteria: "Optional: what true and false mean. Instructions or criteria must be there.",
    answer: "noul, the probability of yes.",
  },
  {
    type: "choice",
    asks: "One of up to 255 options",
    criteria: "An object of option names, each with a description or null.",
    answer: "choice, the most likely option; a probability for each; confidence.",
  },
  {
    type: "score",
    asks: "A level, 0 to 9",
    criteria: "An array of 1 to 10 level labels, lowest first.",
    answer: "score, the average level weighted by probability; a probability for each; confidence.",
  },
]

const COLUMNS: Column<QuestionType>[] = [
  { head: "Type", cell: ({ type }) => <code className="font-mono text-sm">{type}</code> },
  { head: "Asks for", cell: ({ asks }) => asks },
  { head: "Criteria", cell: ({ criteria }) => criteria },
  { head: "Answer", cell: ({ answer }) => answer },
]

/** The three question types. */
export function QuestionTypes() {
  return <Table caption="Question types" columns={COLUMNS} rows={TYPES} rowKey={({ type }) => type} />
}
