import { defineConfig } from "vitest/config"
import { SlowestFirst } from "./test/slowest-first"

const scale = Number(process.env.TEST_SCALE || 1)

export default defineConfig({
  resolve: { tsconfigPaths: true },
  test: {
    include: ["{lib,questions,test,lint,scripts}/**/*.test.ts", "{app,components}/**/*.test.{ts,tsx}"],
    globalSetup: ["./test/global-setup.ts"],
    setupFiles: ["./test/no-console-error.ts"],
    pool: "threads",
    sequence: { sequencer: SlowestFirst },
    testTimeout: 15_000 * scale,
    hookTimeout: 30_000,
    // For a machine that runs other suites. A poll that succeeds at once takes no longer.
    expect: { poll: { timeout: 8_000 } },
  },
})
