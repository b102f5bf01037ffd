import type { Dialect } from "./dialect"
import { systemOne } from "./system-one/system-one"

/** Every dialect that has a route of its own. */
export const DIALECTS: readonly Dialect[] = [systemOne]
