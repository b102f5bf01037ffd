import { BadSetting, readEnv } from "../lib/env"

try {
  readEnv()
} catch (error) {
  if (!(error instanceof BadSetting)) throw error
  console.error(`Bad setting: ${error.message}`)
  process.exitCode = 1
}
