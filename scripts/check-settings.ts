import { BadSetting, readEnv } from "../lib/env"

try {
  readEnv()
} catch (error) {
  if (!(error instanceof BadSetting)) throw error
  console.error(error.message)
  process.exitCode = 1
}
