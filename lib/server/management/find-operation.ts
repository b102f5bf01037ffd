import type { Actor } from "@/lib/server/platform/actor"
import { ServiceError } from "@/lib/shared/errors"
import type { Operation } from "./operation"

interface FoundOperation<CallActor extends Actor> {
  operation: Operation<CallActor>
  ids: Record<string, string>
}

/** Returns the segments of `path` in place of the `{name}`s of `template`; null when the path is another one. */
function match(template: string, path: string): Record<string, string> | null {
  const [expected, given] = [template.split("/"), path.split("/")]
  if (expected.length !== given.length) return null
  const ids: Record<string, string> = {}
  for (const [i, part] of expected.entries()) {
    const segment = given[i] ?? ""
    const name = /^\{(\w+)\}$/.exec(part)?.[1]
    if (name ? segment === "" : part !== segment) return null
    if (name) ids[name] = segment
  }
  return ids
}

/** Thrown with the methods that the path has. */
export class MethodNotAllowed extends ServiceError {
  constructor(readonly allow: string) {
    super("method_not_allowed")
  }
}

/** Returns the operation of a method and a path below the API's base. Throws `not_found` and `method_not_allowed`. */
export function findOperation<CallActor extends Actor>(
  operations: readonly Operation<CallActor>[],
  method: string,
  path: string,
): FoundOperation<CallActor> {
  const found = operations.flatMap((operation) => {
    const ids = match(operation.path, path)
    return ids ? [{ operation, ids }] : []
  })
  if (found.length === 0) throw new ServiceError("not_found")
  const [one] = found.filter(({ operation }) => operation.method === (method === "HEAD" ? "GET" : method))
  if (one) return one
  const methods = found.map(({ operation }) => operation.method)
  throw new MethodNotAllowed((methods.includes("GET") ? [...methods, "HEAD"] : methods).join(", "))
}
