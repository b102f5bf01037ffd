import { z } from "zod"
import { CEILINGS } from "@/questions/limits"

/** The names of questions, in requests and in answers. */
export const QUESTION_NAME = `^[A-Za-z0-9_-]{1,${CEILINGS.questionName}}$`

const described = "Text, or a structured object or array. Numbers and key order are read as they are written."
const structured = () => [z.string(), z.looseObject({}), z.array(z.unknown())] as const

const Description = z
  .union([...structured(), z.null()])
  .meta({ id: "Description", description: `What a question, an option or an answer means. ${described}` })

/** A level's label: what `legend` gives back. */
export const LevelLabel = z
  .union(structured())
  .meta({ id: "LevelLabel", description: `The label of one level. ${described}` })

const State = z
  .union([z.string().min(1), z.looseObject({}).meta({ minProperties: 1 }), z.array(z.unknown()).meta({ minItems: 1 })])
  .meta({ id: "State", description: `What the questions are about. ${described} It may not be empty.` })

const instructions = Description.optional()

const NoulQuestion = z
  .strictObject({
    type: z.literal("noul"),
    instructions,
    criteria: z
      .strictObject({ true: Description.optional(), false: Description.optional() })
      .optional()
      .meta({ description: "What yes (`true`) and no (`false`) mean." }),
  })
  .meta({
    id: "NoulQuestion",
    description: "Yes or no. `instructions`, not null, or `criteria` must be there.",
    anyOf: [
      { required: ["criteria"] },
      { required: ["instructions"], properties: { instructions: { not: { type: "null" } } } },
    ],
  })

const ChoiceQuestion = z
  .strictObject({
    type: z.literal("choice"),
    instructions,
    criteria: z.record(z.string().min(1).max(CEILINGS.optionName), Description).meta({
      description: `The options: names of 1 to ${CEILINGS.optionName} characters, unique in the question, each with a description.`,
      minProperties: 1,
      maxProperties: CEILINGS.options,
    }),
  })
  .meta({ id: "ChoiceQuestion", description: "One of several options." })

const ScoreQuestion = z
  .strictObject({
    type: z.literal("score"),
    instructions,
    criteria: z.array(LevelLabel).min(1).max(CEILINGS.levels).meta({
      description: "The levels, lowest first; at least 2 are advised. A level's index is its 0-based position.",
    }),
  })
  .meta({ id: "ScoreQuestion", description: "A level on an ordinal scale." })

const Question = z.discriminatedUnion("type", [NoulQuestion, ChoiceQuestion, ScoreQuestion]).meta({
  id: "Question",
  discriminator: {
    propertyName: "type",
    mapping: {
      noul: "#/components/schemas/NoulQuestion",
      choice: "#/components/schemas/ChoiceQuestion",
      score: "#/components/schemas/ScoreQuestion",
    },
  },
})

/** The body of `POST /v1/decisions`. It describes; `checkRequest` decides, and a test holds the two equal. */
export const DecisionRequest = z
  .strictObject({
    model: z.string().min(1).meta({ description: "A pinned id or the alias, from `GET /v1/models`." }),
    state: State,
    questions: z.record(z.string().regex(new RegExp(QUESTION_NAME)), Question).meta({
      description: `1 to ${CEILINGS.questions} questions by name; a model may set a lower ceiling.`,
      minProperties: 1,
      maxProperties: CEILINGS.questions,
    }),
  })
  .meta({
    id: "DecisionRequest",
    description:
      "Unknown fields and duplicate keys, anywhere in the body, are refused. At most 512 levels of nesting, no half surrogate pairs.",
  })
