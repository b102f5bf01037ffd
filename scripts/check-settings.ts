import { BadSetting, readEnv } from "@/lib/server/platform/env"

try {
  readEnv()
} catch (error) {
  if (!(error instanceof BadSetting)) throw error
  console.error(`Bad setting: ${error.message}`)
  process.exitCode = 1
}
