import type { Finding } from "./engine"
import type { EngineEntry } from "./engine-entry"
import type { AddressState, EngineGroup } from "./engine-group"
import { originOf } from "./engine-model"
import type { Availability } from "./monitor"

export type Probed = Availability & { findings?: Finding[] }

async function probeEntry({ monitor }: EngineEntry): Promise<Probed> {
  if (!monitor) return { available: true, reason: null }
  const first = await monitor.probe()
  // A process's first probe may have been cut short to find out whether the engine is merely busy.
  const { available, reason, findings, isOnlySlow } = first.isOnlySlow ? await monitor.probe() : first
  if (isOnlySlow) return monitor.availability
  return { available, reason: available ? null : (reason ?? null), ...(findings ? { findings } : {}) }
}

const addressFinding = ({ url, isDraining }: AddressState, { available, reason }: Probed): Finding => ({
  name: "Address",
  value: originOf(url),
  meaning: isDraining
    ? "It is drained: new requests go to the other addresses."
    : available
      ? "It answers requests."
      : `It gets no requests: ${reason}`,
})

/** Probes the engines of a model now. With several addresses, the findings say how each does. */
export async function probeGroup(group: EngineGroup): Promise<Probed> {
  const probed = await Promise.all(group.entries.map(probeEntry))
  const [only, ...others] = probed
  if (only && others.length === 0) return only
  const addresses = group.addresses.map((address, i) => addressFinding(address, probed[i] ?? group.availability))
  const findings = probed.find((one) => one.available && one.findings)?.findings ?? []
  return { ...group.availability, findings: [...addresses, ...findings] }
}
