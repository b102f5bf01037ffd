import { runtime } from "@/lib/server/platform/runtime"
import type { StripeDouble } from "@/test/doubles/stripe/stripe-double"
import type { Fault } from "./doubles/stripe/faults"
import { Fuse, FusedHttp, fusedPool, type NetworkFault } from "./fuse"
import { connectStripe } from "./topup-fixture"

/** What happens while the service works: a fault of a request to Stripe, a step just before one of its requests, and a kill. */
export interface Disturbance<Step> {
  fault: { on: string; fault: Fault | NetworkFault["how"] } | null
  meanwhile: { request: number; step: Step } | null
  crashAfter: number | null
}

/** The names of the double's own faults are single words. */
const isOfDouble = (fault: Fault | NetworkFault["how"]): fault is Fault => !fault.includes(" ")

/** Plays processes of the service on a Stripe double, whose requests may fail and which may be killed at any step. */
export class StripePlayer<Step> {
  readonly fuse = new Fuse()
  readonly http = new FusedHttp(this.fuse)
  readonly pool = runtime().pool
  crashes = 0

  constructor(
    readonly double: StripeDouble,
    /** Does a step at Stripe. Steps that Stripe refuses, such as a second refund, do nothing. */
    readonly atStripe: (step: Step) => void | Promise<void>,
  ) {}

  /** Starts a process. Work that runs continues in its own. */
  begin(): void {
    connectStripe(this.double, { httpClient: this.http.client() })
  }

  /** Runs works at the same time, each in its own process or all in one, and ends them. Failures of the works are ignored. */
  async run(
    works: (() => Promise<unknown>)[],
    { fault, meanwhile, crashAfter }: Disturbance<Step>,
    inOwnProcesses = true,
  ): Promise<void> {
    if (fault && isOfDouble(fault.fault)) this.double.failNext(new RegExp(`^${fault.on} `), fault.fault)
    else if (fault) this.http.networkFaults.push({ method: fault.on, how: fault.fault as NetworkFault["how"] })
    runtime().pool = fusedPool(this.pool, this.fuse)
    if (crashAfter !== null) this.fuse.arm(crashAfter)
    let requests = 0
    const steps: unknown[] = []
    this.http.onRequest = () => {
      if (requests++ === meanwhile?.request) steps.push(this.atStripe(meanwhile.step))
    }
    const running = works.map((work) => {
      if (inOwnProcesses) this.begin()
      return work().catch(() => null)
    })
    await Promise.all(running)
    await Promise.all(steps)
    await this.http.settled()
    await this.double.idle()
    if (this.fuse.blown) this.crashes++
    this.restart()
  }

  /** Ends all faults and starts a process. */
  restart(): void {
    this.fuse.replace()
    this.double.faults.clear()
    this.http.networkFaults.length = 0
    this.http.onRequest = () => {}
    runtime().pool = this.pool
    this.begin()
  }
}
