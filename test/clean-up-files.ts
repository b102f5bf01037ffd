import { afterAll } from "vitest"
import { runCleanUps } from "./after-file"

afterAll(runCleanUps)
