import { readdirSync } from "node:fs"
import path from "node:path"
import type { LabelSample } from "./doubles/label-double"
import type { EngineSample } from "./doubles/system-one-double"

interface Samples {
  ENGINE_SAMPLES?: EngineSample[]
  LABEL_SAMPLES?: LabelSample[]
}

const names = readdirSync(path.join(import.meta.dirname, "doubles")).filter((file) => /^[a-z-]+\.ts$/.test(file))
const doubles: Samples[] = await Promise.all(names.map((file) => import(`./doubles/${file.replace(/\.ts$/, "")}.ts`)))

/** The doubles of every family that speaks `/v1/systemone`. */
export const ENGINE_SAMPLES = doubles.flatMap(({ ENGINE_SAMPLES = [] }) => ENGINE_SAMPLES)
/** The doubles of every family whose labels can be read. */
export const LABEL_SAMPLES = doubles.flatMap(({ LABEL_SAMPLES = [] }) => LABEL_SAMPLES)
