import { errorBody } from "@/lib/shared/errors"
import type { Dialect } from "../dialect"
import { readOpenAi } from "./read-body"

/** OpenAI's Decisions API: a list of questions about an input. Its errors have the contract's form (docs/decisions/0058). */
export const openAi: Dialect = {
  name: "openai",
  paths: ["/openai/v1/decisions"],
  bases: ["/openai"],
  readBody: readOpenAi,
  errorBody,
}
