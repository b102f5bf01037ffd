export interface ClientNetwork {
  /** Such as `192.0.2.0/24` or `2001:db8:1::/48`. */
  network: string
  /** How many links the network may request in an hour. */
  maxPerHour: number
}

/**
 * Returns the wider networks of a client, which one attacker may own as a whole. They are the /24 of an IPv4 address, or the
 * /56 and /48 of an IPv6 /64. `block` is what `addressBlock` returned, with four groups for IPv6. Empty for anything else.
 */
export function networksOf(block: string): ClientNetwork[] {
  const ipv4 = /^(\d+\.\d+\.\d+)\.\d+$/.exec(block)
  if (ipv4) return [{ network: `${ipv4[1]}.0/24`, maxPerHour: 50 }]
  const groups = block.split(":")
  if (groups.length !== 4) return []
  const site = groups.slice(0, 3).join(":")
  const subnet = (Number.parseInt(groups[3] ?? "0", 16) & 0xff00).toString(16)
  return [
    { network: `${site}:${subnet}::/56`, maxPerHour: 20 },
    { network: `${site}::/48`, maxPerHour: 50 },
  ]
}
