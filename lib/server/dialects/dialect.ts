import type { ReadBody } from "@/lib/shared/decisions/check-request"
import type { ServiceError } from "@/lib/shared/errors"
import type { KeyRoute } from "@/lib/shared/keys/key-routes"
import type { DialectName } from "@/lib/shared/models/dialect-names"
import type { CheckedBatch } from "./checked-batch"

/** How clients of another API ask. Its requests become the one request that `decide()` knows. */
export interface Dialect {
  name: DialectName
  /** Where its clients send decisions. */
  paths: readonly KeyRoute[]
  /** Nothing below these paths is the console's. `/v1` need not be named. */
  bases: readonly string[]
  /** Translates a scanned body. Throws `Refused` in the names that the client sent. */
  readBody: ReadBody
  /** Where its clients send many states with the same questions, and how that body is read. */
  batch?: { path: KeyRoute; readBody: ReadBody<CheckedBatch> }
  /** Returns the body of an error. */
  errorBody(error: ServiceError): object
}
