import { automationOf, QUESTION_TYPES, TYPE_NAMES } from "@/questions/question-types"

type Part = "probabilities" | "outcome"

/** How exported tests read the answers of each type. */
export const READINGS = TYPE_NAMES.map((name) => ({ name, ...QUESTION_TYPES[name].outcomes.exported }))
export const BAND_TYPES = TYPE_NAMES.filter((name) => automationOf(name)?.kind === "band")
export const SLACK_TYPES = READINGS.flatMap(({ name, slack }) => (slack === undefined ? [] : [{ name, slack }]))

/** Returns the types that have their own expression for a part, with it. */
export const ownReadings = (part: Part) => READINGS.flatMap(({ name, [part]: own }) => (own ? [{ name, ...own }] : []))
