export interface MonitorTiming {
  /** Between probes of an available engine. */
  everyMs: number
  /** Between probes of an engine that is unavailable or silent. */
  whileDownMs: number
  /** How long a probe may take. */
  probeLimitMs: number
  /** The same for the first probe of a pinned id, because a starting process waits for it. */
  firstLimitMs: number
  /** How long a busy engine may take to report its health. */
  healthLimitMs: number
  /** While its health is reported, probes that time out count only after this long without a response. Longer than any request. */
  silenceLimitMs: number
  /** The same while this process sends it no requests. Other processes may keep it busy. */
  idleLimitMs: number
}

export const TIMING: MonitorTiming = {
  everyMs: 15_000,
  whileDownMs: 5_000,
  probeLimitMs: 10_000,
  firstLimitMs: 1_500,
  healthLimitMs: 2_000,
  silenceLimitMs: 120_000,
  idleLimitMs: 60_000,
}

/** For a model on this machine's processors, which read the prompts of a first probe at a few dozen tokens per second. */
export const OWN_TIMING: Partial<MonitorTiming> = { probeLimitMs: 120_000 }
