import type { Dialect } from "../dialect"
import { systemOneError } from "./error-body"
import { readSystemOneBatch } from "./read-batch"
import { readSystemOne } from "./read-body"

/** System One: the contract's answers, for a wider request (docs/decisions/0058). */
export const systemOne: Dialect = {
  name: "systemone",
  paths: ["/v1/systemone"],
  bases: [],
  readBody: readSystemOne,
  batch: { path: "/v1/systemone/batch", readBody: readSystemOneBatch },
  errorBody: systemOneError,
}
