import { Resolver } from "node:dns/promises"

export interface Address {
  address: string
  family: number
}

const QUERY_MS = 2_000

/**
 * Returns every IPv4 and IPv6 address that DNS has for a host name, IPv4 first. Rejects when there is none. Reads no `/etc/hosts`.
 * `dns.lookup` would keep a thread until a name server replies, and the process's other lookups would wait for one.
 */
export async function resolveName(hostname: string, servers?: string[]): Promise<Address[]> {
  // Created for each name, because a resolver never reads changed settings of the machine again.
  const resolver = new Resolver({ timeout: QUERY_MS, tries: 2 })
  if (servers) resolver.setServers(servers)
  const [v4, v6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
  if (v4.status === "rejected" && v6.status === "rejected") throw v4.reason
  const found = (result: PromiseSettledResult<string[]>, family: number) =>
    result.status === "fulfilled" ? result.value.map((address) => ({ address, family })) : []
  return [...found(v4, 4), ...found(v6, 6)]
}
