import { ServiceError } from "@/lib/shared/errors"
import { MOST, type ModelLimits } from "./catalogue"
import { changeOne } from "./change-one"

const COLUMNS = {
  maxQuestions: "max_questions",
  maxOptions: "max_options",
  maxLevels: "max_levels",
  maxBodyBytes: "max_body_bytes",
} as const satisfies Record<keyof ModelLimits, string>

function check(name: keyof ModelLimits, value: number): void {
  if (Number.isInteger(value) && value >= 1 && value <= MOST[name]) return
  const message = `${name} is a whole number from 1 to ${MOST[name]}.`
  throw new ServiceError("invalid_request", { param: name, message })
}

/** Sets some of a pinned model's limits, all of them or none; none may be above the global ceilings of spec.md. */
export async function setLimits(id: string, limits: Partial<ModelLimits>): Promise<void> {
  const names = (Object.keys(COLUMNS) as (keyof ModelLimits)[]).filter((name) => limits[name] !== undefined)
  for (const name of names) check(name, limits[name] ?? Number.NaN)
  if (names.length === 0) return
  const changes = names.map((name, i) => `${COLUMNS[name]} = $${i + 2}`).join(", ")
  await changeOne(`UPDATE model SET ${changes} WHERE id = $1 AND kind = 'pinned'`, [
    id,
    ...names.map((name) => limits[name]),
  ])
}
